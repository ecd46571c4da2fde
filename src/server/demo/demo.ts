import { z } from 'zod'
import { demoLogin } from '../../contract/demo.ts'
import { domainOf } from '../../core/accounts/property-name.ts'
import type { Deletion } from '../accounts/deletion/deletion.ts'
import { eraseAccount, eraseDeleted } from '../accounts/deletion/erase-account.ts'
import type { AccountsService } from '../accounts/service.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import { sampleAddress } from './leave-demo.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { SitesService } from '../sites/service.ts'
import { noteForgotten } from '../sync/forgotten.ts'
import type { Stores } from '../stores/stores.ts'

/** The account that `npm start` announces (OPEN-POINTS 20, 21). */
const demoAccount = { ...demoLogin, email: sampleAddress } as const

const grantAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  scope: z.string(),
  sub: z.string(),
  email: z.string(),
})

export type DemoDeps = { db: Db; accounts: AccountsService; sites: SitesService; clock: Clock; google: Config['google']; log: Log }

/** The account that a demo created, by its mark: anyone can have any name, or change theirs. */
const sampleOf = async (db: Db): Promise<string | null> =>
  (await db.selectFrom('people').where('demo', '=', 'sample').where('deletedAt', 'is', null).select('userId').executeTakeFirst())?.userId ??
  null

/**
 * Creates the demo account if there is none: on the Pro plan, connected to the Google stand-in as if consent had been given, monitoring its
 * three sample properties. If it was closed meanwhile, it is reopened.
 */
export async function ensureDemo({ db, accounts, sites, clock, google, log }: DemoDeps): Promise<void> {
  // One of them may still have the name.
  await eraseDeleted(db).catch((error: unknown) => log.error({ err: error }, 'not every deleted account could be erased; will retry'))
  const found = await sampleOf(db)
  if (found !== null && !(await reopened(db, found))) return
  const namesake = await db.selectFrom('users').where('username', '=', demoAccount.username).select('id').executeTakeFirst()
  if (found === null && namesake)
    throw new Error('Another account here is named demo. Start the demo with another DATA_DIR, or rename that account')
  const userId = found ?? (await accounts.create({ ...demoAccount, emailVerified: true, grantedPlan: 'pro', sample: true }))
  const grant = await grantFromStandIn(google.apiUrl)
  if (grant === null) {
    log.warn('the Google stand-in is not responding: the demo account starts without a connection')
    return
  }
  await sites.connect(
    { id: userId },
    { sub: grant.sub, email: grant.email },
    {
      accessToken: grant.access_token,
      refreshToken: grant.refresh_token,
      accessTokenExpiresAt: new Date(clock.now().getTime() + grant.expires_in * 1000),
      scope: grant.scope,
    },
  )
  const names = (await sites.list(userId)).map((property) => property.name)
  const shopFirst = names.toSorted((a, b) => Number(domainOf(b) !== null) - Number(domainOf(a) !== null))
  if (shopFirst.length > 0) await sites.monitorOnly({ id: userId }, shopFirst)
}

/** Whether it had been closed. */
async function reopened(db: Db, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ closedAt: null, grantedPlan: 'pro', plan: 'pro' })
    .where('userId', '=', userId)
    .where('closedAt', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Resets the demo account: deletes all of it, then creates it again. */
export async function resetDemo(deps: DemoDeps & { deletion: Deletion }): Promise<void> {
  const userId = await sampleOf(deps.db)
  if (userId !== null) {
    // Immediately, not in a job: it must not revoke the permission of the account created next.
    await deps.sites.disconnect({ id: userId })
    await deps.deletion.erase({ id: userId })
  }
  await ensureDemo(deps)
}

/** Deletes the demo account and all its data while no server runs; returns whether there was one. */
export async function removeDemo({ db, facts }: Pick<Stores, 'db' | 'facts'>, clock: Clock): Promise<boolean> {
  const userId = await sampleOf(db)
  if (userId === null) return false
  const properties = await db.selectFrom('properties').where('userId', '=', userId).select('id').execute()
  await eraseAccount(db, userId)
  const ids = properties.map((property) => property.id)
  // What the disk has no room to rewrite now is deleted on a night when it has.
  await noteForgotten(db, ids, clock.now())
  await facts.drop(ids)
  return true
}

/** The stand-in's control API gives what a click on its consent page would. */
async function grantFromStandIn(url: string): Promise<z.infer<typeof grantAnswer> | null> {
  try {
    const answer = await fetch(`${url}/_control/grant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: demoAccount.email }),
    })
    return answer.ok ? grantAnswer.parse(await answer.json()) : null
  } catch {
    return null
  }
}
