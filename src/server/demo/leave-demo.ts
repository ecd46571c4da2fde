import { sql } from 'kysely'
import { demoLogin } from '../../contract/demo.ts'
import type { Db } from '../database/open.ts'
import { dropWaitingEmails } from '../mail/waiting-emails.ts'
import { createSitesStore } from '../sites/store.ts'

export const sampleAddress = `${demoLogin.username}@ranklark.example`

/** What users have, and what a demo's stand-ins for Google, Stripe, mail and messages said about it. */
const ended = [
  'sessions',
  'apiKeys',
  'reportSchedules',
  'reportRecipients',
  'reportShares',
  'digestSchedules',
  'deliveryChannels',
  'googleConnections',
  'googleSignIns',
  'subscriptions',
  'stripeCustomers',
] as const
/** What was queued to be sent from the demo. */
const outgoing = ['reportRuns', 'reportMails', 'notifications', 'deliveryNews'] as const

/**
 * Turns an installation that was a demo into a regular one (docs/decisions/0043). Closes the sample account, whose password everybody
 * knows, and those of visitors without a password, since only a stand-in signed them in. The others lose what the stand-ins vouched for.
 * All accounts keep their data. Running it twice changes nothing.
 * @returns what to tell the operator; empty if there was no demo
 */
export async function leaveDemo(db: Db, now: Date): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const people = await trx
      .selectFrom('people')
      .innerJoin('users', 'users.id', 'people.userId')
      .leftJoin('accounts', (join) => join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'))
      .where('people.demo', 'is not', null)
      .where('people.deletedAt', 'is', null)
      .select(['users.id', 'users.username', 'people.demo', 'people.closedAt', 'accounts.id as credential'])
      .orderBy('users.createdAt')
      .forUpdate(['people', 'users'])
      .execute()
    const kept = people.filter(({ demo, credential }) => demo === 'visitor' && credential !== null)
    const closed = people.filter((person) => !kept.includes(person))
    for (const { id, closedAt } of people) if (closedAt === null) await strip(trx, id, now)
    // Emails to whatever addresses its visitors typed would now go out through a real mail server.
    if (people.some(({ closedAt }) => closedAt === null)) await dropEmails(trx)
    for (const { id, demo, closedAt } of closed) {
      if (closedAt !== null) continue
      await trx.updateTable('people').set({ closedAt: now, grantedPlan: null, plan: 'free' }).where('userId', '=', id).execute()
      // Its users may have given it an address whose owner signs up one day.
      if (demo === 'sample') await trx.updateTable('users').set({ email: sampleAddress }).where('id', '=', id).execute()
    }
    for (const { id } of kept) {
      const plan = sql<'free'>`coalesce(granted_plan, 'free')`
      await trx.updateTable('people').set({ demo: null, plan }).where('userId', '=', id).execute()
    }
    return wordsFor(closed, kept)
  })
}

async function dropEmails(trx: Db): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`SELECT to_regclass('jobs.job') IS NOT NULL AS there`.execute(trx)
  if (rows[0]?.there) await sql.raw(dropWaitingEmails).execute(trx)
}

async function strip(trx: Db, userId: string, now: Date): Promise<void> {
  await createSitesStore(trx).detachGoogleSites(userId, now, trx)
  for (const table of ended) await trx.deleteFrom(table).where('userId', '=', userId).execute()
  for (const table of outgoing) await trx.deleteFrom(table).where('userId', '=', userId).where('state', '=', 'waiting').execute()
  await trx.updateTable('reportBrands').set({ replyTo: null }).where('userId', '=', userId).execute()
  await trx.deleteFrom('verifications').where('userId', '=', userId).execute()
  await trx.updateTable('users').set({ emailVerified: false }).where('id', '=', userId).execute()
}

type Named = readonly { username: string | null }[]

function wordsFor(closed: Named, kept: Named): string[] {
  const names = (some: Named) => some.map(({ username }) => username ?? '').join(', ')
  const words = []
  if (closed.length > 0) {
    words.push(
      `This data was used for a demo. Closed because anyone could log in: ${names(closed)}. All sessions, API keys, links and schedules have ended. To delete the demo account, stop Ranklark and run: npm run demo:reset`,
    )
  }
  if (kept.length > 0) {
    words.push(
      `Accounts registered during the demo keep their password and data: ${names(kept)}. They lose everything that only the demo vouched for: confirmed addresses, Google connections, alert channels, payments, sessions, API keys, links and schedules.`,
    )
  }
  return words
}
