import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { Vault } from '../platform/secrets.ts'
import { letter as letterSchema, type Letter, type WaitingLetter } from './letter.ts'

export type { Letter } from './letter.ts'

export const mailQueue = 'mail'
/** Ties what is sealed to its use (platform/secrets.ts). */
export const sealContext = 'mail'

export type Mailer = {
  /** Whether this installation has a mail server; without one letters are dropped. */
  readonly sends: boolean
  /**
   * Puts a letter into the queue, from where it is sent even if the server or the mail server is down meanwhile.
   * With `transaction` it exists only if that commits.
   */
  send(letter: Letter, options?: { transaction?: Db }): Promise<void>
}

export type MailerDeps = {
  queue: Queue
  vault: Vault
  mail: Config['mail']
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  log: Log
}

/** How soon a letter that could not be sent is tried again, in seconds; the wait doubles up to the most. */
export type MailRetry = { first: number; most: number }
const defaultRetry: MailRetry = { first: 15, most: 3600 }

/** Makes the queue; needed in every process before `send`. */
export async function defineMailQueue(queue: Queue, { first, most }: MailRetry = defaultRetry): Promise<void> {
  // When to give up is decided by a letter's age (deliver.ts), not by counting.
  await queue.defineQueue(mailQueue, { retryLimit: 1000, retryDelay: first, retryBackoff: true, retryDelayMax: most })
}

/** Letters wait sealed: whoever can read the database cannot open the links in them. */
export function createMailer({ queue, vault, mail, baseUrl, clock, log }: MailerDeps): Mailer {
  if (mail === undefined) log.warn('mail is not configured (SMTP_URL, MAIL_FROM): nothing will be sent')
  return {
    sends: mail !== undefined,

    async send(letter, { transaction } = {}) {
      if (mail === undefined) return log.warn({ kind: letter.kind }, 'mail is not configured: a letter was not sent')
      const waiting: WaitingLetter = {
        letter: letterSchema.parse(letter),
        baseUrl: baseUrl(),
        writtenAt: clock.now().toISOString(),
      }
      await queue.send(mailQueue, { sealed: vault.seal(JSON.stringify(waiting), sealContext) }, { ...(transaction && { transaction }) })
    },
  }
}
