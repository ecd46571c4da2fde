import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import { wideNetworkOf } from '../platform/network-of.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { Vault } from '../platform/secrets.ts'
import { serverTenant, originNow, tenantNow } from '../platform/tenant.ts'
import {
  type Handling,
  handling,
  email as emailSchema,
  type Email,
  type EmailToAnybody,
  type EmailToItsAccount,
  type EmailToOperator,
  type WaitingEmail,
} from './email.ts'
import { namesForStrangers } from '../../core/accounts/names-for-strangers.ts'
import { nameForStrangers, operatorNames } from './operators.ts'

export type { Email } from './email.ts'

export const mailQueue = 'mail'
/** For emails that somebody waits for: however many others there are, they have senders of their own. */
export const awaitedMailQueue = 'mail-awaited'
export const mailQueues = [mailQueue, awaitedMailQueue] as const
/** Binds encrypted data to its use (platform/secrets.ts). */
export const sealContext = 'mail'

/** An account's address, and whether somebody has proven that they read its email. */
export type AccountAddress = { email: string; emailVerified: boolean }

export type Mailer = {
  /** Whether this installation has a mail server; without one emails are dropped. */
  readonly sends: boolean
  /**
   * Queues an email, to be sent even if the server or the mail server is down meanwhile. With `transaction`, only if that commits. Names
   * that may mislead strangers are left out of emails to them.
   */
  send(email: EmailToOperator, options?: { transaction?: Db }): Promise<void>
  /** The same for an email to an account's own address. Dropped while nobody has confirmed that: it may be a stranger's. */
  send(email: EmailToItsAccount, options: { account: AccountAddress; transaction?: Db }): Promise<void>
  /**
   * The same for one whose reader may never have agreed to hear from us. One that isn't `admitted` is queued, but not sent.
   * @param options `admitted`: whether it is within the limits (accounts/stranger-email-limits.ts). `askedFrom`: the network that caused it, for work
   * outside of the request.
   */
  send(email: EmailToAnybody, options: { transaction?: Db; admitted: boolean; askedFrom?: string | undefined }): Promise<void>
}

type SendOptions = { account?: AccountAddress; transaction?: Db; admitted?: boolean; askedFrom?: string | undefined }

export type MailerDeps = {
  queue: Queue
  vault: Vault
  mail: Config['mail']
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  log: Log
}

/** Seconds until a failed email is retried; the wait doubles up to `most`. */
export type MailRetry = { first: number; most: number }
const defaultRetry: MailRetry = { first: 15, most: 3600 }

/** Creates the queue; every process needs it before `send`. */
export async function defineMailQueue(queue: Queue, { first, most }: MailRetry = defaultRetry): Promise<void> {
  // An email's age decides when to give up (deliver.ts), not the number of attempts.
  const patience = { retryLimit: 1000, retryDelay: first, retryBackoff: true, retryDelayMax: most }
  for (const name of mailQueues) await queue.defineQueue(name, patience)
}

/** Emails wait encrypted: reading the database doesn't reveal their links. */
export function createMailer({ queue, vault, mail, baseUrl, clock, log }: MailerDeps): Mailer {
  if (mail === undefined) log.warn('email is not configured (SMTP_URL, MAIL_FROM): nothing will be sent')
  return {
    sends: mail !== undefined,

    async send(content: Email | EmailToItsAccount, { account, transaction, admitted = true, askedFrom }: SendOptions = {}) {
      if (mail === undefined) return log.warn({ kind: content.kind }, 'email is not configured: an email was not sent')
      if (account?.emailVerified === false) return
      const email = emailSchema.parse(account ? { ...content, to: account.email } : content)
      const waiting: WaitingEmail = {
        letter: forItsReader(email, operatorNames(mail, baseUrl())),
        baseUrl: baseUrl(),
        writtenAt: clock.now().toISOString(),
        withheld: !admitted,
      }
      const { awaited }: Handling = handling[email.kind]
      const group = createHash('sha256').update(causeOf(email, askedFrom)).digest('base64url')
      await queue.send(
        awaited ? awaitedMailQueue : mailQueue,
        { sealed: vault.seal(JSON.stringify(waiting), sealContext) },
        { group, ...(transaction && { transaction }) },
      )
    },
  }
}

/**
 * Whoever causes emails takes turns: thousands that one person or network causes, to as many recipients, must not hold up everybody's
 * password resets. What the server sends by itself takes turns by recipient.
 */
function causeOf({ to }: Email, askedFrom: string | undefined): string {
  const [tenant, origin] = [tenantNow(), originNow()]
  if (tenant !== serverTenant && tenant !== origin) return tenant
  const network = tenant === serverTenant ? askedFrom : origin
  // Of a customer's 65,536 networks, each would have turns of its own.
  return network === undefined ? to : wideNetworkOf(network.replace(/\/\d+$/, ''))
}

/**
 * The reader of an email to an address that the account hasn't confirmed must not mistake the account's name for a link or for the operator,
 * nor get a message or a phone number in it.
 */
function forItsReader(email: Email, operators: readonly string[]): Email {
  const shown = (...names: (string | null)[]) => namesForStrangers(names.map((username) => nameForStrangers(username, operators)))
  switch (email.kind) {
    case 'confirm-address':
    case 'confirm-delivery-address':
    case 'confirm-report-recipient':
      return { ...email, username: shown(email.username)[0] ?? null }
    case 'reset-password': {
      if (email.isConfirmed) return email
      const [username = null, ...names] = shown(email.username, ...email.others.map((each) => each.username))
      return { ...email, username, others: email.others.map((each, at) => ({ ...each, username: names[at] ?? null })) }
    }
    default:
      return email
  }
}
