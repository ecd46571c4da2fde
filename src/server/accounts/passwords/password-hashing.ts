import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../../common/errors.ts'
import { createFairShare, TooManyRequests } from '../../platform/fair-share.ts'
import { leftNow, originNow } from '../../platform/tenant.ts'

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

/** What was hashed and verified before work that must not wait for it. */
export type Hashed = {
  /** A new password, and its hash. */
  made?: { password: string; hash: string }
  /** A stored hash, and the password found to match it or not. */
  checked?: { hash: string; password: string; right: boolean }
}
export const nothingHashed: Hashed = {}

const before = new AsyncLocalStorage<Hashed>()

/**
 * Runs `work` with what was hashed before it: in there, nothing is hashed again. A password checked against a hash that has been replaced since
 * is wrong.
 */
export const withHashed = <T>(hashed: Hashed, work: () => T): T => before.run(hashed, work)

function madeBefore({ made }: Hashed, password: string): string {
  if (made?.password !== password) throw new Refusal(409, 'Your password was just changed. Please try again.')
  return made.hash
}

/** Same hashing, a few at a time. @throws Refusal 429; Abandoned if the client leaves while it waits */
export function limitHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const share = createFairShare(places)
  const limited = <T>(work: () => Promise<T>): Promise<T> =>
    share.run(originNow(), work, { signal: leftNow() }).catch((error: unknown) => {
      throw error instanceof TooManyRequests ? new Refusal(429, tooManyLogins) : error
    })
  return {
    async hash(password) {
      const hashed = before.getStore()
      return hashed ? madeBefore(hashed, password) : limited(() => hash(password))
    },
    async verify(attempt) {
      const hashed = before.getStore()
      if (!hashed) return limited(() => verify(attempt))
      const { checked } = hashed
      return checked?.hash === attempt.hash && checked.password === attempt.password && checked.right
    },
  }
}
