import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { LetterCountsTable } from '../database/limit-tables.ts'
import type { Clock } from '../platform/clock.ts'
import { wideNetworkOf } from '../platform/network-of.ts'
import { type Attempts, type AttemptKind, keyOf } from './attempts.ts'

/** Emails one network can cause to an address that doesn't answer, in how many days (docs/decisions/0087). */
const mostAsks = 10
const dayMs = 24 * 3_600_000
const keptMs = 30 * dayMs

/** What the emails ask for: an account's address, or its alerts. */
type About = LetterCountsTable['about']
/** `from`: the requester's network address. */
type Ask = { about: About; email: string; from: string }

const placeOf = ({ about, email, from }: Ask) => ({
  about,
  addressHash: keyOf(email),
  // Whoever has a /48 can switch between its networks at will.
  networkHash: keyOf(email, wideNetworkOf(from)),
})

/**
 * Emails to addresses whose readers haven't answered: they may have nothing to do with us, and their only defense is that we stop. Counted
 * by address and network, so that nobody uses up what the address's owner needs, and never per network across all addresses, since neighbors share a network.
 */
export function createLetterCounts({ db, attempts, clock }: { db: Db; attempts: Attempts; clock: Clock }) {
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

  /** The one just counted caused no email. */
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

  return {
    take,
    giveBack,

    /**
     * Counts an email about an account's address, and what all networks share of its `kind`. The same for every address: what is left must
     * not reveal whether somebody has confirmed it.
     * @returns whether the email may go to an address that nobody has confirmed
     * @throws Refusal 429
     */
    async ofAccount(kind: AttemptKind, email: string, from: string): Promise<boolean> {
      const ask: Ask = { about: 'account', email, from }
      const { isLeft } = await take(ask)
      await attempts.countShared(kind, { account: email, address: from }, !isLeft).catch(async (refusal: unknown) => {
        await giveBack(ask)
        throw refusal
      })
      return isLeft && attempts.mayWriteToday(from)
    },
  }
}
export type LetterCounts = ReturnType<typeof createLetterCounts>

/** Forgets the counts of an address: its reader answered, or its account was deleted or moved to another address. */
export async function forgetLetters(db: Db, about: About, email: string): Promise<void> {
  await db.deleteFrom('letterCounts').where('about', '=', about).where('addressHash', '=', keyOf(email)).execute()
}

/** Deletes what no longer counts. */
export async function forgetOldLetterCounts(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('letterCounts')
    .where('since', '<', new Date(now.getTime() - keptMs))
    .execute()
}
