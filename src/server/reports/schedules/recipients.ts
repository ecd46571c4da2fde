import { sql } from 'kysely'
import { z } from 'zod'
import { addressesAskedADay, reportMailsADay } from '../../../contract/reports/limits.ts'
import { mailboxOf } from '../../../core/accounts/mailbox-of.ts'
import { type AccountsService, holdPerson, type Person } from '../../accounts/service.ts'
import { takeOfDay } from '../../database/day-counts.ts'
import type { Db } from '../../database/open.ts'
import { isOpen } from '../../database/open-accounts.ts'
import type { AskedAddresses } from '../../common/asked-addresses.ts'
import { Refusal } from '../../common/errors.ts'
import { rememberShown } from '../../common/shown-to-others.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SignedTokens } from '../../platform/signed-token.ts'

/** The content of a consent link: whose reports, to which address, and until when its reader may agree. */
export const recipientClaim = z.object({ user: z.string(), address: z.string(), expiresAt: z.iso.datetime() })

export type RecipientsDeps = {
  db: Db
  mailer: Mailer
  tokens: SignedTokens<z.infer<typeof recipientClaim>>
  /** The page behind such an email's link. */
  confirmPage: (token: string) => string
  /** Where a recipient unsubscribes from all of an account's emails. */
  unsubscribe: (userId: string, address: string) => string
  asked: AskedAddresses
  strangerEmailLimits: AccountsService['strangerEmailLimits']
  clock: Clock
}

/** A schedule that is turned off asks and emails nobody: turning it on requires proof of identity if others get its reports. */
export const turnedOff = 'This schedule is turned off. Turn it on first.'

type Owner = Pick<Person, 'id' | 'username' | 'email' | 'emailVerified'>

const dayMs = 24 * 3_600_000
const linkDays = 7
/** From one account to one address. */
const mostAsks = 3

/**
 * Whom an account may send reports to: its own confirmed address, and people who agreed. An answer, yes or no, applies to an account and an
 * address, whatever the schedule (docs/decisions/0053).
 */
export function createRecipients({
  db,
  mailer,
  tokens,
  confirmPage,
  unsubscribe,
  asked: askedAddresses,
  strangerEmailLimits,
  clock,
}: RecipientsDeps) {
  const isOwn = ({ email, emailVerified }: Owner, address: string): boolean => emailVerified && address === email.toLowerCase()

  const known = async (trx: Db, userId: string) => {
    const rows = await trx.selectFrom('reportRecipients').where('userId', '=', userId).selectAll().execute()
    return new Map(rows.map((row) => [row.address, row]))
  }

  /** Tests whether a mailbox's reader has left, whatever the spelling of its address. */
  function refusedIn(rows: Awaited<ReturnType<typeof known>>): (address: string) => boolean {
    const left = new Set([...rows.values()].flatMap((row) => (row.unsubscribedAt === null ? [] : [mailboxOf(row.address)])))
    return (address) => left.has(mailboxOf(address))
  }

  /** Tests whether an address's reader has agreed and not left since. */
  async function reached(trx: Db, person: Owner): Promise<(address: string) => boolean> {
    const rows = await known(trx, person.id)
    return (address) => {
      const row = rows.get(address.toLowerCase())
      return (row?.unsubscribedAt ?? null) === null && ((row?.confirmedAt ?? null) !== null || isOwn(person, address.toLowerCase()))
    }
  }

  /**
   * Emails addresses that have to agree first.
   * @param from the requester's network address
   * @throws Refusal 403 without a confirmed address of one's own, 409 for a refusal, 429 beyond a limit
   */
  async function ask(trx: Db, person: Owner, addresses: readonly string[], from: string): Promise<void> {
    if (addresses.length === 0 || !mailer.sends) return
    const now = clock.now()
    const dayAgo = new Date(now.getTime() - dayMs)
    await holdPerson(trx, person)
    const count = sql<number>`count(*)::int`
    const lately = trx.selectFrom('reportRecipients').where('askedAt', '>', dayAgo)
    const { asked } = await lately.where('userId', '=', person.id).select(count.as('asked')).executeTakeFirstOrThrow()
    if (asked + addresses.length > addressesAskedADay)
      throw new Refusal(429, `You can add up to ${addressesAskedADay} new recipients a day. Add the others tomorrow.`, 'recipients')
    await askedAddresses.count(trx, person.id, addresses, now)
    await strangerEmailLimits.admitAsks(trx, person, addresses.length, from, 'recipients')
    await trx
      .insertInto('reportRecipients')
      .values(addresses.map((address) => ({ userId: person.id, address, askedAt: now, asks: 1 })))
      .onConflict((oc) => oc.columns(['userId', 'address']).doUpdateSet({ askedAt: now, asks: sql`report_recipients.asks + 1` }))
      .execute()
    const expiresAt = new Date(now.getTime() + linkDays * dayMs).toISOString()
    for (const address of addresses) {
      const link = confirmPage(tokens.make({ user: person.id, address, expiresAt }))
      const never = unsubscribe(person.id, address)
      const confirmation = { kind: 'confirm-report-recipient', to: address, username: person.username, link, never } as const
      await mailer.send(confirmation, { transaction: trx, admitted: true })
    }
  }

  return {
    reached,

    /**
     * Asks the new ones among these for consent. The owner can put back their own unsubscribed address.
     * @throws Refusal 403 without a confirmed address, 409 for somebody who wants no more of them, 429 for too many
     */
    async admit(trx: Db, person: Owner, addresses: readonly string[], from: string): Promise<void> {
      const rows = await known(trx, person.id)
      const lower = addresses.map((address) => address.toLowerCase())
      const isNew = (address: string): boolean => (rows.get(address)?.confirmedAt ?? rows.get(address)?.askedAt ?? null) === null
      const hasRefused = refusedIn(rows)
      // Somebody who left isn't asked under another spelling of the address either; one they agreed to by itself stays.
      const gone = lower.filter(
        (address) => (rows.get(address)?.unsubscribedAt ?? null) !== null || (isNew(address) && hasRefused(address)),
      )
      const refused = addresses.find((address) => gone.includes(address.toLowerCase()) && !isOwn(person, address.toLowerCase()))
      if (refused !== undefined) throw new Refusal(409, `${refused} has unsubscribed from your reports. Remove this address.`, 'recipients')
      if (gone.length > 0) {
        const back = trx.updateTable('reportRecipients').set({ unsubscribedAt: null })
        await back.where('userId', '=', person.id).where('address', 'in', gone).execute()
      }
      const strangers = lower.filter((address) => isNew(address) && !isOwn(person, address))
      await ask(trx, person, strangers, from)
    },

    /** Asks those again who haven't answered. @throws Refusal 409 if nobody can be asked right now, 429 for too many */
    async askAgain(trx: Db, person: Owner, addresses: readonly string[], from: string): Promise<void> {
      const rows = await known(trx, person.id)
      const isReached = await reached(trx, person)
      const hasRefused = refusedIn(rows)
      const dayAgo = clock.now().getTime() - dayMs
      const silent = addresses
        .map((address) => address.toLowerCase())
        .filter((address) => {
          const row = rows.get(address)
          if (isReached(address) || hasRefused(address)) return false
          return (row?.asks ?? 0) < mostAsks && (row?.askedAt?.getTime() ?? 0) <= dayAgo
        })
      if (silent.length === 0)
        throw new Refusal(
          409,
          `There's no request to resend right now. Each recipient can get one a day, up to ${mostAsks} in total.`,
          'recipients',
        )
      await ask(trx, person, silent, from)
    },

    /** An address's reader agreed. Returns the address; null for an invalid link. */
    async confirm(token: string): Promise<string | null> {
      const claimed = tokens.read(token)
      if (!claimed || Date.parse(claimed.expiresAt) <= clock.now().getTime()) return null
      const sentAt = new Date(Date.parse(claimed.expiresAt) - linkDays * dayMs)
      const asked = await db
        .updateTable('reportRecipients')
        .set({ confirmedAt: clock.now(), unsubscribedAt: null })
        .where('userId', '=', claimed.user)
        .where('address', '=', claimed.address)
        .where('askedAt', 'is not', null)
        .where(isOpen('reportRecipients.userId'))
        .where((eb) => eb.or([eb('linksCountFrom', 'is', null), eb('linksCountFrom', '<', sentAt)]))
        .executeTakeFirst()
      if (asked.numUpdatedRows === 0n) return null
      await askedAddresses.agreed(db, claimed.address)
      return claimed.address
    },

    /**
     * Ends an account's reports to an address for whoever holds a link, even if the address was already removed.
     * @param userId null if it can't be found anymore
     */
    async leave(userId: string | null, address: string): Promise<void> {
      const [lower, now] = [address.toLowerCase(), clock.now()]
      await db.transaction().execute(async (trx) => {
        // If the account was deleted, there are no emails to end, but its owner may come back with another one.
        const owner = await trx.selectFrom('users').where('id', '=', userId).where(isOpen('users.id')).select('id').executeTakeFirst()
        if (!owner || userId === null) return askedAddresses.refused(trx, [lower], now)
        await trx
          .insertInto('reportRecipients')
          .values({ userId, address: lower, unsubscribedAt: now })
          .onConflict((oc) => oc.columns(['userId', 'address']).doUpdateSet({ unsubscribedAt: now }))
          .execute()
        await rememberShown(trx, userId, now)
        await trx
          .updateTable('reportSchedules')
          .set({ recipients: sql`ARRAY(SELECT each FROM unnest(recipients) AS each WHERE lower(each) <> ${lower})` })
          .where('userId', '=', userId)
          .where(sql<boolean>`${lower} IN (SELECT lower(each) FROM unnest(recipients) AS each)`)
          .execute()
      })
    },

    /** An account is being deleted: people who refused its reports aren't asked by the next one either. */
    async accountDeleting({ userId, transaction }: { userId: string; transaction: Db }): Promise<void> {
      const refusals = transaction.selectFrom('reportRecipients').where('userId', '=', userId).where('unsubscribedAt', 'is not', null)
      const rows = await refusals.select('address').execute()
      const addresses = rows.map(({ address }) => address)
      if (addresses.length > 0) await askedAddresses.refused(transaction, addresses, clock.now())
    },

    /** Whether an address gets no more from an account, whatever its owner does; nor, if that was deleted, from the owner's next one. */
    async hasLeft(userId: string | null, address: string): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .leftJoin('reportRecipients', (join) =>
          join.onRef('reportRecipients.userId', '=', 'users.id').on('reportRecipients.address', '=', address.toLowerCase()),
        )
        .where('users.id', '=', userId)
        .where(isOpen('users.id'))
        .select('reportRecipients.unsubscribedAt')
        .executeTakeFirst()
      return row ? row.unsubscribedAt !== null : askedAddresses.isRefused(db, address, clock.now())
    },
  }
}
export type Recipients = ReturnType<typeof createRecipients>

/** How many of the wanted report emails an account may still send today; they count from now on. */
export const takeMails = (trx: Db, userId: string, wanted: number, now: Date): Promise<number> =>
  takeOfDay(trx, { what: 'report-mail', whose: userId }, wanted, reportMailsADay, now)

/** Why a further email isn't sent. */
export const tooManyMails = `Your account can send up to ${reportMailsADay.toLocaleString('en-US')} report emails a day. Send it again tomorrow (UTC).`
