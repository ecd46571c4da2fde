import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { importsADay, importsADayInAll } from '../../contract/import.ts'
import { mailboxOf } from '../../core/accounts/mailbox-of.ts'
import { Refusal } from '../common/errors.ts'
import { networkOf, wideNetworkOf, wideTimes } from '../platform/network-of.ts'

/** How an account is identified: by what somebody types to log in, or by its id. */
type Owner = 'by name' | 'by id'

const named = {
  'by name': 'username = lower($1) OR (email = lower($1) AND email_verified)',
  'by id': 'id = $1',
} as const

/** How many of an account's latest logins make their networks familiar; reading more would delay every login attempt. */
const mostEvents = 1_000

/**
 * Whether an account has been signed in to from a network in its latest logins. A password reset by email clears the familiar
 * networks of whoever knew the old password.
 */
async function isFamiliar(pool: pg.Pool, { account, owner }: { account: string; owner: Owner }, network: string): Promise<boolean> {
  const name = account.trim()
  // PostgreSQL refuses queries with some of them.
  if (/\p{Cc}/u.test(name)) return false
  const { rows } = await pool.query<{ address: string }>(
    `WITH owner AS (SELECT id FROM users WHERE ${named[owner]}),
     latest AS (SELECT kind, event.id, event.address FROM owner,
       unnest(ARRAY['registered', 'signed-in', 'account-reclaimed', 'password-reset', 'address-change-undone']) AS kind,
       LATERAL (SELECT audit_events.id, address FROM audit_events WHERE user_id = owner.id AND audit_events.kind = kind.kind
         ORDER BY audit_events.id DESC LIMIT ${mostEvents}) AS event)
     SELECT DISTINCT address FROM latest WHERE kind IN ('registered', 'signed-in') AND address IS NOT NULL
       AND id > coalesce((SELECT max(id) FROM latest WHERE kind NOT IN ('registered', 'signed-in')), 0)`,
    [name],
  )
  return rows.some(({ address }) => networkOf(address) === network)
}

type Allowance = {
  account: number
  address: number
  seconds: number
  everywhere?: number
  owner?: Owner
  caller?: 'known'
  /**
   * For what needs no proof of identity: `account` is for each network, so that somebody elsewhere with a copy of the session doesn't use up
   * its owner's. All networks together have `everywhere` in the same time.
   */
  each?: 'network'
  /** `account` is an email address: all spellings of one mailbox count together. */
  mailbox?: true
}

/** Longer than a code is valid: its own half minute, plus one on either side. */
const usedCodeSeconds = 120

/** An hour, the window for guesses from everywhere. */
const everywhereSeconds = 3600

/**
 * From all networks that have used up their emails to an address (stranger-email-limits.ts), separate from `everywhere`: whoever keeps
 * asking without causing emails must not use up what others share.
 */
const mostInVain = 5

/** Changes to an account's password and second factor, per hour. */
const changesAnHour = 30

/** Emails a network can cause per day to addresses that nobody has confirmed. */
const emailsADay = { most: 300, seconds: 24 * 3600 }

/**
 * How many attempts an account and a network have, in how many seconds. In entries with `everywhere`, `account` is the limit for one
 * network at one account, so that nobody uses up the owner's share, and all networks together have `everywhere` an hour, except those the
 * `owner` has signed in from (docs/decisions/0052). With a known `caller`, `account` is theirs, from `each` network if so marked, and is
 * used up first: what it refuses must not count for everyone else behind their address.
 */
const allowances = {
  /** Only failed ones. */
  login: { account: 10, address: 60, seconds: 15 * 60, everywhere: 100, owner: 'by name' },
  /** Proof by password while signed in; only failed ones. */
  password: { account: 10, address: 60, seconds: 15 * 60, everywhere: 100, owner: 'by id' },
  /** Second factor after the first; only failed ones. A code is short. */
  code: { account: 10, address: 60, seconds: 15 * 60, everywhere: 30, owner: 'by id' },
  /** Emails to an address that has no account yet; one network's don't use up those of its owner. */
  register: { account: 5, address: 100, seconds: 3600, everywhere: 15, mailbox: true },
  /** Links to set a new password; one network's don't use up those of the address's owner. */
  reset: { account: 5, address: 100, seconds: 3600, everywhere: 15, mailbox: true },
  /** Emails that confirm an account's address: by account, and by the address they go to. */
  confirm: { account: 5, address: 100, seconds: 3600, everywhere: 15, owner: 'by id', caller: 'known', each: 'network' },
  confirmReached: { account: 5, address: 100, seconds: 3600, everywhere: 15, mailbox: true },
  /** Username changes per day, each of which is announced by email. */
  rename: { account: 10, address: 100, seconds: 24 * 3600, everywhere: 30, owner: 'by id', caller: 'known', each: 'network' },
  /** Emails and codes that confirm a message destination: by requester, and by destination. */
  destination: { account: 5, address: 100, seconds: 3600, caller: 'known' },
  destinationReached: { account: 5, address: 100, seconds: 3600, everywhere: 15, mailbox: true },
  testMessage: { account: 10, address: 100, seconds: 15 * 60, everywhere: 30, owner: 'by id', caller: 'known', each: 'network' },
  /** Resends of messages to a customer's server. */
  resend: { account: 60, address: 600, seconds: 3600, everywhere: 180, owner: 'by id', caller: 'known', each: 'network' },
  /** Uploads of Search Console exports per day. */
  import: {
    account: importsADay,
    address: 5 * importsADay,
    seconds: 24 * 3600,
    everywhere: importsADayInAll,
    owner: 'by id',
    caller: 'known',
    each: 'network',
  },
  /** Subscriptions started at Stripe per day; another card, or the same plan again, starts no new one. */
  subscription: { account: 20, address: 100, seconds: 24 * 3600, everywhere: 60, owner: 'by id', caller: 'known', each: 'network' },
  /** Payments opened: each calls Stripe several times, even if it starts no subscription. An office shares an address. */
  checkout: { account: 60, address: 300, seconds: 3600, everywhere: 180, owner: 'by id', caller: 'known', each: 'network' },
  support: { account: 5, address: 50, seconds: 3600, everywhere: 15, owner: 'by id', caller: 'known', each: 'network' },
} as const satisfies Record<string, Allowance>
export type AttemptKind = keyof typeof allowances

/** `account` is anything that identifies the account: a username, an email address, an id. */
export type Attempt = { account: string; address: string }

export type Attempts = {
  /**
   * Counts one attempt against the account and the address's network before it is made, so concurrent ones count too.
   * @throws Refusal 429 saying how long to wait
   */
  count(kind: AttemptKind, attempt: Attempt): Promise<void>
  /** The first half of `count`: the limits of the account and of the network. */
  countOwn(kind: AttemptKind, attempt: Attempt): Promise<void>
  /**
   * The other half: the limit shared by all networks.
   * @param inVain whether this network has used up its emails to this address
   */
  countShared(kind: AttemptKind, attempt: Attempt, inVain?: boolean): Promise<void>
  /** Nothing was sent: refunds the limit shared by all networks, and only that one. */
  unused(kind: AttemptKind, attempt: Attempt): Promise<void>
  /** Counts an email to an address that nobody may have confirmed. Returns whether the network had any left today. */
  mayWriteToday(address: string): Promise<boolean>
  /**
   * Whether this authenticator code is new for the account: a code stays valid for up to ninety seconds, and somebody who saw it over a
   * shoulder must not log in with it too (RFC 6238, 5.2).
   */
  isNewCode(userId: string, code: string): Promise<boolean>
  /**
   * Changes the password or the second factor, each of which is announced by email. Only what succeeds counts: somebody else with a copy of
   * the session must not use up the owner's by failing.
   * @throws Refusal 429
   */
  changing<T>(userId: string, change: () => Promise<T>): Promise<T>
  /** The attempt was correct: refunds it and forgets the account's earlier failures; for guesses, only those from this network. */
  succeeded(kind: AttemptKind, attempt: Attempt): Promise<void>
}

/** Attempts are counted in PostgreSQL, so that all processes and restarts share them; `workOnCounts` deletes the expired ones. */
export function createAttempts(pool: pg.Pool): Attempts {
  const limiter = (
    kind: AttemptKind | 'letter' | 'change',
    whose: 'account' | 'address' | 'wide' | 'everywhere' | 'vain' | 'once',
    points: number,
    duration: number,
  ): RateLimiterAbstract =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'attempts',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: `${kind}-${whose}`,
      points,
      duration,
    })
  const kinds = Object.keys(allowances) as AttemptKind[]
  const limitersOf = (kind: AttemptKind) => {
    const { account, address, seconds, everywhere, owner, caller, each, mailbox }: Allowance = allowances[kind]
    return {
      keyOf: (whose: string, ...network: string[]) => keyOf(mailbox ? mailboxOf(whose) : whose, ...network),
      account: limiter(kind, 'account', account, seconds),
      address: limiter(kind, 'address', address, seconds),
      wide: limiter(kind, 'wide', wideTimes * address, seconds),
      isKnown: caller === 'known',
      isByNetwork: each === 'network',
      anywhere: everywhere
        ? {
            limit: limiter(kind, 'everywhere', everywhere, each === 'network' ? seconds : everywhereSeconds),
            inVain: limiter(kind, 'vain', mostInVain, everywhereSeconds),
            owner,
          }
        : null,
    }
  }
  const usedCodes = limiter('code', 'once', 1, usedCodeSeconds)
  const changes = limiter('change', 'account', changesAnHour, 3600)
  const emailsOf = {
    network: limiter('letter', 'address', emailsADay.most, emailsADay.seconds),
    wide: limiter('letter', 'wide', wideTimes * emailsADay.most, emailsADay.seconds),
  }
  const limiters = new Map(kinds.map((kind) => [kind, limitersOf(kind)]))
  const of = (kind: AttemptKind) => {
    const found = limiters.get(kind)
    if (!found) throw new Error(`There is no allowance for ${kind}`)
    return found
  }

  return {
    async count(kind, attempt) {
      await this.countOwn(kind, attempt)
      await this.countShared(kind, attempt)
    },
    async countOwn(kind, { account, address }) {
      const network = networkOf(address)
      const { anywhere, isKnown, isByNetwork, keyOf, ...own } = of(kind)
      const wide = wideNetworkOf(address)
      if (isKnown) {
        await consume(own.account, isByNetwork ? keyOf(account, wide) : keyOf(account))
        await consume(own.address, network)
        if (wide !== network) await consume(own.wide, wide)
        return
      }
      if (wide !== network) await consume(own.wide, wide)
      await consume(own.address, network)
      if (!anywhere) return consume(own.account, keyOf(account))
      await consume(own.account, keyOf(account, anywhere.owner ? network : wide))
    },
    async countShared(kind, { account, address }, inVain = false) {
      const { anywhere, keyOf } = of(kind)
      if (!anywhere) return
      const { owner } = anywhere
      await consume(inVain ? anywhere.inVain : anywhere.limit, keyOf(account)).catch(async (refusal: unknown) => {
        if (!owner || !(await isFamiliar(pool, { account, owner }, networkOf(address)))) throw refusal
      })
    },
    async unused(kind, { account }) {
      const { anywhere, keyOf } = of(kind)
      await anywhere?.limit.reward(keyOf(account), 1)
    },
    isNewCode: (userId, code) => isLeft(usedCodes, keyOf(userId, code)),
    async mayWriteToday(address) {
      const [network, wide] = [networkOf(address), wideNetworkOf(address)]
      if (!(await isLeft(emailsOf.network, network))) return false
      return wide === network || isLeft(emailsOf.wide, wide)
    },
    async changing(userId, change) {
      const key = keyOf(userId)
      const had = await changes.get(key)
      if (had && had.consumedPoints >= changesAnHour) throw tooMany(had.msBeforeNext)
      const done = await change()
      await isLeft(changes, key)
      return done
    },
    async succeeded(kind, { account, address }) {
      const network = networkOf(address)
      const { anywhere, keyOf, ...own } = of(kind)
      const wide = wideNetworkOf(address)
      if (wide !== network) await own.wide.reward(wide, 1)
      await own.address.reward(network, 1)
      await own.account.delete(anywhere ? keyOf(account, network) : keyOf(account))
      await anywhere?.limit.reward(keyOf(account), 1)
    },
  }
}

/** Hashed: the table must not hold names or addresses of people who may not even have an account. */
export const keyOf = (account: string, ...network: string[]): string =>
  createHash('sha256')
    .update([account.trim().toLowerCase(), ...network].join('\n'))
    .digest('base64url')

const isLeft = (limiter: RateLimiterAbstract, key: string): Promise<boolean> =>
  limiter.consume(key).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof RateLimiterRes)) throw error
      return false
    },
  )

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw tooMany(error.msBeforeNext)
  }
}

const tooMany = (ms: number): Refusal => new Refusal(429, `Too many attempts. Please try again ${inWords(ms)}.`)

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}
