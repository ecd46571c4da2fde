import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { importsADay } from '../../contract/import.ts'
import { Refusal } from '../common/errors.ts'
import { networkOf, wideNetworkOf } from '../platform/network-of.ts'
import { isFamiliar, type Owner } from './familiar-networks.ts'

type Allowance = { account: number; address: number; seconds: number; everywhere?: number; owner?: Owner }

/** How many times what one network has all those of one customer have together (platform/network-of.ts). */
const wideTimes = 10

/** Longer than a code is valid: its own half minute, and one on either side. */
const usedCodeSeconds = 120

/** An hour, over which guesses from everywhere are counted. */
const everywhereSeconds = 3600

/**
 * How many attempts an account and a network have, in how many seconds. Where there is `everywhere`, guesses at a secret
 * are what is counted: `account` then is what one network has for one account, so that nobody uses up what its owner has,
 * and all networks together have `everywhere` in an hour, but for those its owner has been signed in from (docs/decisions/0052).
 */
const allowances = {
  /** Failed ones only. */
  login: { account: 10, address: 60, seconds: 15 * 60, everywhere: 100, owner: 'by name' },
  /** Proving with the password, while signed in; failed ones only. */
  password: { account: 10, address: 60, seconds: 15 * 60, everywhere: 100, owner: 'by id' },
  /** Of the second factor, once the first was shown; failed ones only. A code is short. */
  code: { account: 10, address: 60, seconds: 15 * 60, everywhere: 30, owner: 'by id' },
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
  /** Uploads of Search Console's exports, a day. */
  import: { account: importsADay, address: 5 * importsADay, seconds: 24 * 3600 },
  support: { account: 5, address: 50, seconds: 3600 },
} as const satisfies Record<string, Allowance>
export type AttemptKind = keyof typeof allowances

/** `account` is whatever names the account: a username, an e-mail address, an id. */
export type Attempt = { account: string; address: string }

export type Attempts = {
  /**
   * Counts one attempt against the account and the network of the address, before it is made: many at the same time count as many.
   * @throws Refusal 429 that says how long to wait
   */
  count(kind: AttemptKind, attempt: Attempt): Promise<void>
  /**
   * Whether this code of the authenticator app is new for the account: a code stays valid for up to ninety seconds, and whoever
   * reads it over somebody's shoulder must not log in with it, too (RFC 6238, 5.2).
   */
  isNewCode(userId: string, code: string): Promise<boolean>
  /** The attempt was a right one: what it cost is given back, and earlier failures at the account are forgotten, of guesses those of this network. */
  succeeded(kind: AttemptKind, attempt: Attempt): Promise<void>
}

/** Attempts are counted in PostgreSQL, so that all processes and restarts share the count. */
export function createAttempts(pool: pg.Pool): Attempts {
  const limiter = (
    kind: AttemptKind,
    whose: 'account' | 'address' | 'wide' | 'everywhere' | 'once',
    points: number,
    duration: number,
  ): RateLimiterAbstract =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'attempts',
      tableCreated: true,
      clearExpiredByTimeout: whose === 'account',
      keyPrefix: `${kind}-${whose}`,
      points,
      duration,
    })
  const kinds = Object.keys(allowances) as AttemptKind[]
  const limitersOf = (kind: AttemptKind) => {
    const { account, address, seconds, everywhere, owner }: Allowance = allowances[kind]
    return {
      account: limiter(kind, 'account', account, seconds),
      address: limiter(kind, 'address', address, seconds),
      wide: limiter(kind, 'wide', wideTimes * address, seconds),
      guesses: everywhere && owner ? { everywhere: limiter(kind, 'everywhere', everywhere, everywhereSeconds), owner } : null,
    }
  }
  const usedCodes = limiter('code', 'once', 1, usedCodeSeconds)
  const limiters = new Map(kinds.map((kind) => [kind, limitersOf(kind)]))
  const of = (kind: AttemptKind) => {
    const found = limiters.get(kind)
    if (!found) throw new Error(`There is no allowance for ${kind}`)
    return found
  }

  return {
    async count(kind, { account, address }) {
      const network = networkOf(address)
      const { guesses, ...own } = of(kind)
      const wide = wideNetworkOf(address)
      if (wide !== network) await consume(own.wide, wide)
      await consume(own.address, network)
      if (!guesses) return consume(own.account, keyOf(account))
      await consume(own.account, keyOf(account, network))
      await consume(guesses.everywhere, keyOf(account)).catch(async (refusal: unknown) => {
        if (!(await isFamiliar(pool, { account, owner: guesses.owner }, network))) throw refusal
      })
    },
    isNewCode: (userId, code) =>
      usedCodes.consume(keyOf(userId, code)).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof RateLimiterRes)) throw error
          return false
        },
      ),
    async succeeded(kind, { account, address }) {
      const network = networkOf(address)
      const { guesses, ...own } = of(kind)
      const wide = wideNetworkOf(address)
      if (wide !== network) await own.wide.reward(wide, 1)
      await own.address.reward(network, 1)
      await own.account.delete(guesses ? keyOf(account, network) : keyOf(account))
      await guesses?.everywhere.reward(keyOf(account), 1)
    },
  }
}

/** The table holds no names or addresses of people who may not even have an account. */
const keyOf = (account: string, ...network: string[]): string =>
  createHash('sha256')
    .update([account.trim().toLowerCase(), ...network].join('\n'))
    .digest('base64url')

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
