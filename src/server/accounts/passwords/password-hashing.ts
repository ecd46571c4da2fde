import { Refusal } from '../../common/errors.ts'
import { createFairShare, TooManyWishes } from '../../platform/fair-share.ts'
import { tenantNow } from '../../platform/tenant.ts'

/** Makes what is stored of a password, and compares it with one that is typed. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  verify(attempt: { hash: string; password: string }): Promise<boolean>
}

/**
 * Each takes 33 MB and one of the threads that files, name lookups and embedded ClickHouse need, too. Networks and people take
 * turns, so that nobody who makes names up keeps others from logging in.
 */
const places = { places: 3, perTenant: 2, waitingPerTenant: 50 }

/** The same hashing, a few at a time. @throws Refusal 429 */
export function hashInTurns({ hash, verify }: PasswordHashing): PasswordHashing {
  const share = createFairShare(places)
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    share.run(tenantNow(), work).catch((error: unknown) => {
      throw error instanceof TooManyWishes
        ? new Refusal(429, 'Too many people are logging in from your network just now. Please try again in a minute.')
        : error
    })
  return {
    hash: (password) => inTurn(() => hash(password)),
    verify: (attempt) => inTurn(() => verify(attempt)),
  }
}
