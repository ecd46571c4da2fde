import { Refusal } from '../../common/errors.ts'
import { createFairShare, TooManyWishes } from '../../platform/fair-share.ts'
import { tenantNow } from '../../platform/tenant.ts'

/** Hashes passwords and verifies them. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  verify(attempt: { hash: string; password: string }): Promise<boolean>
}

/**
 * Each takes 33 MB and one of the threads also needed by files, name lookups and embedded ClickHouse. Networks and people take turns, so
 * that nobody can block others' logins with made-up names.
 */
const places = { places: 3, perTenant: 2, waitingPerTenant: 50 }

/** Same hashing, a few at a time. @throws Refusal 429 */
export function limitHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const share = createFairShare(places)
  const limited = <T>(work: () => Promise<T>): Promise<T> =>
    share.run(tenantNow(), work).catch((error: unknown) => {
      throw error instanceof TooManyWishes
        ? new Refusal(429, 'Too many people are logging in from your network right now. Please try again in a minute.')
        : error
    })
  return {
    hash: (password) => limited(() => hash(password)),
    verify: (attempt) => limited(() => verify(attempt)),
  }
}
