import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Job, Queue } from '../platform/queue.ts'
import type { Vault } from '../platform/secrets.ts'
import { type Email, type WaitingEmail, waitingEmail } from './email.ts'
import { mailQueues, sealContext } from './mailer.ts'

const payload = z.object({ sealed: z.string() })

/** Emails of each queue sent at once in one process. */
const concurrency = 2

const hour = 3600_000
const day = 24 * hour

/** How long trying is worthwhile: an expired link helps nobody. */
const patience = (kind: Email['kind']): number => (kind === 'reset-password' ? hour : day)

export type DeliverDeps = { queue: Queue; vault: Vault; mail: Config['mail']; clock: Clock; log: Log }

/**
 * Sends waiting emails in this process. Transient failures (no connection, 4xx, our own login refused) are retried for a day; an email
 * permanently refused by the mail server (5xx) is logged and dropped.
 */
export async function workOnMail({ queue, vault, mail, clock, log }: DeliverDeps): Promise<void> {
  if (mail === undefined) return
  const send = async (job: Job<object>): Promise<void> => {
    const waiting = opened(vault, job.data)
    if (waiting === null) return log.error({ job: job.id }, 'gave up on a queued email encrypted with another SECRET_KEY')
    const { letter: email } = waiting
    if (waiting.withheld) return
    const entry = { kind: email.kind, job: job.id }
    const age = clock.now().getTime() - Date.parse(waiting.writtenAt)
    if (age > patience(email.kind)) return log.error(entry, 'gave up on an email that could not be sent in time')

    const [{ compose }, { sendMail }] = await Promise.all([import('./compose.ts'), import('./send.ts')])
    const sent = await sendMail(mail, {
      key: job.id,
      to: email.to,
      composed: compose(email, waiting.baseUrl),
      date: new Date(waiting.writtenAt),
      kind: email.kind,
      ...('replyTo' in email && { replyTo: email.replyTo }),
      signal: job.signal,
    })
    switch (sent.outcome) {
      case 'sent':
        return log.info(entry, 'an email was sent')
      case 'refused':
        return log.error({ ...entry, reason: sent.reason }, 'an email was permanently rejected')
      case 'later':
        log.warn({ ...entry, reason: sent.reason }, 'an email could not be sent; will retry')
        // The queue stores the error with the job; the mail server's answer may contain the address, so it stays out.
        throw new Error('The email could not be sent')
    }
  }
  for (const name of mailQueues) await queue.work<object>(name, { concurrency }, send)
}

function opened(vault: Vault, data: object): WaitingEmail | null {
  const text = vault.find(payload.parse(data).sealed, sealContext)
  return text === null ? null : waitingEmail.parse(JSON.parse(text))
}
