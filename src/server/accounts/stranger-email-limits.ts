import { sql } from 'kysely'
import { mailboxOf } from '../../core/accounts/mailbox-of.ts'
import { Refusal } from '../common/errors.ts'
import { type DayCount, everybody, takeOfDay } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import type { LetterCountsTable } from '../database/limit-tables.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { networkOf, wideNetworkOf, wideTimes } from '../platform/network-of.ts'
import { type Attempts, type AttemptKind, keyOf } from './attempts.ts'
import type { Person } from './person.ts'

/** Emails one network can cause to an address that doesn't answer, in how many days (docs/decisions/0087). */
const mostAsks = 10
/** Requests for consent that one network can cause in a day, over all accounts and addresses. */
const consentsADay = 300
const dayMs = 24 * 3_600_000
const keptMs = 30 * dayMs

/** What the emails ask for: an account's address, or its alerts. */
type About = LetterCountsTable['about']
/** `from`: the requester's network address. */
type Ask = { about: About; email: string; from: string }

const placeOf = ({ about, email, from }: Ask) => ({
  about,
  // However it is spelled: `ann+1@`, `ann+2@` and so on reach the same reader.
  addressHash: keyOf(mailboxOf(email)),
  // Whoever has a /48 can switch between its networks at will.
  networkHash: keyOf(mailboxOf(email), wideNetworkOf(from)),
})

/** Whoever wants others to be emailed. */
type Asker = Pick<Person, 'email' | 'emailVerified'>

/** Whether an email may go to an address that nobody has confirmed: only the gate below says yes. */
export type MayWrite = false | (true & { readonly saidBy: 'the gate' })

/** `asksADay`: from all accounts together. */
type StrangerEmailLimitsDeps = { db: Db; attempts: Attempts; clock: Clock; log: Log; asksADay: number }

/**
 * The one gate for emails to addresses whose readers haven't agreed to any: they may have nothing to do with us, and their only defense is
 * that we stop; and whoever sends too many of them in the operator's name gets its domain blocked (docs/decisions/0095). Counted by address
 * and network, so that nobody uses up what the address's owner needs; per network over all addresses, and for the whole installation, only
 * by the day, since neighbors share a network.
 */
export function createStrangerEmailLimits({ db, attempts, clock, log, asksADay }: StrangerEmailLimitsDeps) {
  /** Counts one. Returns whether it is within the limit, and when the count starts over. */
  async function take(ask: Ask): Promise<{ isLeft: boolean; until: Date }> {
    const now = clock.now()
    const old = new Date(now.getTime() - keptMs)
    const { asks, since } = await db
      .insertInto('letterCounts')
      .values({ ...placeOf(ask), since: now, asks: 1 })
      .onConflict((oc) =>
        oc.columns(['about', 'addressHash', 'networkHash']).doUpdateSet({
          asks: sql`CASE WHEN letter_counts.since < ${old} THEN 1 ELSE letter_counts.asks + 1 END`,
          since: sql`CASE WHEN letter_counts.since < ${old} THEN excluded.since ELSE letter_counts.since END`,
        }),
      )
      .returning(['asks', 'since'])
      .executeTakeFirstOrThrow()
    return { isLeft: asks <= mostAsks, until: new Date(since.getTime() + keptMs) }
  }

  /** Takes back the last count: it caused no email. */
  async function giveBack(ask: Ask): Promise<void> {
    const { about, addressHash, networkHash } = placeOf(ask)
    await db
      .updateTable('letterCounts')
      .set((eb) => ({ asks: eb('asks', '-', 1) }))
      .where('about', '=', about)
      .where('addressHash', '=', addressHash)
      .where('networkHash', '=', networkHash)
      .where('asks', '>', 0)
      .execute()
  }

  /** Counts these toward the installation's daily limit, whose row stays locked until the transaction ends. */
  async function takeOfAll(trx: Db, what: DayCount['what'], count: number, most: number): Promise<boolean> {
    const isLeft = (await takeOfDay(trx, { what, whose: everybody }, count, most, clock.now())) === count
    if (!isLeft) log.warn({ what, most }, 'more emails to people who have not agreed to any than ASKS_A_DAY allows')
    return isLeft
  }

  return {
    take,
    giveBack,

    /**
     * Counts requests for consent that an account is about to email, each to an address of its own. Nothing is counted if the transaction
     * fails, and here nothing is secret: whoever asks is told why not.
     * @param field what the refusal is about
     * @throws Refusal 403 without a confirmed address, 429 beyond a limit of the day
     */
    async admitAsks(trx: Db, { email, emailVerified }: Asker, count: number, from: string, field: string): Promise<void> {
      if (!emailVerified)
        throw new Refusal(
          403,
          `We'll email other people for you only after you confirm your own address. Open the link we sent to ${email}, or request a new one under Profile.`,
          field,
        )
      const places = [
        [networkOf(from), consentsADay],
        [wideNetworkOf(from), wideTimes * consentsADay],
      ] as const
      // Always in this order, or two askers could deadlock.
      for (const [network, most] of new Map(places.toReversed())) {
        if ((await takeOfDay(trx, { what: 'ask-mail', whose: keyOf(network) }, count, most, clock.now())) < count)
          throw new Refusal(
            429,
            `People on your network have already sent ${most.toLocaleString('en-US')} confirmation requests today. ${tomorrow}`,
            field,
          )
      }
      // Requests for consent alone never use up what people need to confirm their own addresses.
      const isLeft =
        (await takeOfAll(trx, 'ask-mail', count, Math.ceil(asksADay / 2))) && (await takeOfAll(trx, 'unasked-mail', count, asksADay))
      if (!isLeft) throw new Refusal(429, `This installation can't send any more confirmation requests today. ${tomorrow}`, field)
    },

    /**
     * Counts an email about an account's address, and against the limit that all networks share for its `kind`. The same for every address:
     * what is left must not reveal whether somebody has confirmed it.
     * @returns whether the email may go to an address that nobody has confirmed
     * @throws Refusal 429
     */
    async ofAccount(kind: AttemptKind, email: string, from: string): Promise<MayWrite> {
      const ask: Ask = { about: 'account', email, from }
      const { isLeft } = await take(ask)
      await attempts.countShared(kind, { account: email, address: from }, !isLeft).catch(async (refusal: unknown) => {
        await giveBack(ask)
        throw refusal
      })
      if (!isLeft || !(await attempts.mayWriteToday(from))) return false
      return db.transaction().execute((trx) => takeOfAll(trx, 'unasked-mail', 1, asksADay)) as Promise<MayWrite>
    },
  }
}
export type StrangerEmailLimits = ReturnType<typeof createStrangerEmailLimits>

const tomorrow = 'Try again tomorrow (UTC).'

/** Forgets the counts of an address: its reader answered, or its account was deleted or moved to another address. */
export async function forgetEmailCounts(db: Db, about: About, email: string): Promise<void> {
  await db
    .deleteFrom('letterCounts')
    .where('about', '=', about)
    .where('addressHash', '=', keyOf(mailboxOf(email)))
    .execute()
}

/** Deletes what no longer counts. */
export async function forgetOldEmailCounts(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('letterCounts')
    .where('since', '<', new Date(now.getTime() - keptMs))
    .execute()
}
