import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../errors.ts'
import { networkOf } from '../platform/network-of.ts'

/** How many attempts an account and a network have, in how many seconds. */
const allowances = {
  /** Failed ones only. */
  login: { account: 10, address: 60, seconds: 15 * 60 },
  /** Proving with the password, while signed in; failed ones only. */
  password: { account: 10, address: 60, seconds: 15 * 60 },
  register: { account: 5, address: 100, seconds: 3600 },
  reset: { account: 5, address: 100, seconds: 3600 },
  /** Letters that confirm an account's address: by the account they are about, and by the address they go to. */
  confirm: { account: 5, address: 100, seconds: 3600 },
  confirmReached: { account: 5, address: 100, seconds: 3600 },
  /** Letters and codes that confirm where messages are to go: by who asks for them, and by where they are sent. */
  destination: { account: 5, address: 100, seconds: 3600 },
  destinationReached: { account: 5, address: 100, seconds: 3600 },
  testMessage: { account: 10, address: 100, seconds: 15 * 60 },
  /** Of messages to somebody's server. */
  resend: { account: 60, address: 600, seconds: 3600 },
  support: { account: 5, address: 50, seconds: 3600 },
} as const
export type AttemptKind = keyof typeof allowances

/** `account` is whatever names the account: a username, an e-mail address, an id. */
export type Attempt = { account: string; address: string }

export type Attempts = {
  /**
   * Counts one attempt against the account and the network of the address, before it is made: many at the same time count as many.
   * @throws Refusal 429 that says how long to wait
   */
  count(kind: AttemptKind, attempt: Attempt): Promise<void>
  /** The attempt was a right one: what it cost is given back, and the account's earlier failures are forgotten. */
  succeeded(kind: AttemptKind, attempt: Attempt): Promise<void>
}

/** Attempts are counted in PostgreSQL, so that all processes and restarts share the count. */
export function createAttempts(pool: pg.Pool): Attempts {
  const limiter = (kind: AttemptKind, whose: 'account' | 'address'): RateLimiterAbstract =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'attempts',
      tableCreated: true,
      clearExpiredByTimeout: whose === 'account',
      keyPrefix: `${kind}-${whose}`,
      points: allowances[kind][whose],
      duration: allowances[kind].seconds,
    })
  const kinds = Object.keys(allowances) as AttemptKind[]
  const limiters = new Map(kinds.map((kind) => [kind, { account: limiter(kind, 'account'), address: limiter(kind, 'address') }]))
  const of = (kind: AttemptKind) => {
    const found = limiters.get(kind)
    if (!found) throw new Error(`There is no allowance for ${kind}`)
    return found
  }

  return {
    async count(kind, { account, address }) {
      await consume(of(kind).address, networkOf(address))
      await consume(of(kind).account, keyOf(account))
    },
    async succeeded(kind, { account, address }) {
      await of(kind).address.reward(networkOf(address), 1)
      await of(kind).account.delete(keyOf(account))
    },
  }
}

/** The table holds no names or addresses of people who may not even have an account. */
const keyOf = (account: string): string => createHash('sha256').update(account.trim().toLowerCase()).digest('base64url')

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new Refusal(429, `Too many attempts. Please try again ${inWords(error.msBeforeNext)}.`)
  }
}

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}
