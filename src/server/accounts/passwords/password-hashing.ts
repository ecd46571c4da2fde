import { Refusal } from '../../common/errors.ts'
import { createFairShare, TooManyWishes } from '../../platform/fair-share.ts'
import { originNow } from '../../platform/tenant.ts'

/** Hashes passwords and verifies them. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  verify(attempt: { hash: string; password: string }): Promise<boolean>
}

/**
 * Each takes 33 MB and one of the threads also needed by files, name lookups and embedded ClickHouse. Networks take turns, whether or not
 * the sender is signed in, so that nobody can block others' logins with made-up names or many accounts.
 */
const places = { places: 3, perTenant: 2, waitingPerTenant: 50 }

export const tooManyLogins = 'Too many people are logging in from your network right now. Please try again in a minute.'

/** Same hashing, a few at a time. @throws Refusal 429 */
export function limitHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const share = createFairShare(places)
  const limited = <T>(work: () => Promise<T>): Promise<T> =>
    share.run(originNow(), work).catch((error: unknown) => {
      throw error instanceof TooManyWishes ? new Refusal(429, tooManyLogins) : error
    })
  return {
    hash: (password) => limited(() => hash(password)),
    verify: (attempt) => limited(() => verify(attempt)),
  }
}
