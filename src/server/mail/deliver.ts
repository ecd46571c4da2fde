import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { Vault } from '../platform/secrets.ts'
import { type Letter, type WaitingLetter, waitingLetter } from './letter.ts'
import { mailQueue, sealContext } from './mailer.ts'

const payload = z.object({ sealed: z.string() })

/** Letters that are sent at the same time in one process. */
const concurrency = 2

const hour = 3600_000
const day = 24 * hour

/** How long it is worth trying: a link that has expired helps nobody. */
const patience = (kind: Letter['kind']): number => (kind === 'reset-password' ? hour : day)

export type DeliverDeps = { queue: Queue; vault: Vault; mail: Config['mail']; clock: Clock; log: Log }

/**
 * Sends waiting letters in this process. What may pass (no connection, 4xx, our own login refused) is tried again
 * for a day; what the mail server refuses for good (5xx) is logged and dropped.
 */
export async function workOnMail({ queue, vault, mail, clock, log }: DeliverDeps): Promise<void> {
  if (mail === undefined) return
  await queue.work<object>(mailQueue, { concurrency }, async (job) => {
    const waiting = opened(vault, job.data)
    if (waiting === null) return log.error({ job: job.id }, 'a waiting mail was sealed with another SECRET_KEY and was given up')
    const { letter } = waiting
    const told = { kind: letter.kind, job: job.id }
    const age = clock.now().getTime() - Date.parse(waiting.writtenAt)
    if (age > patience(letter.kind)) return log.error(told, 'a mail could not be sent in time and was given up')

    const [{ compose }, { sendMail }] = await Promise.all([import('./compose.ts'), import('./send.ts')])
    const sent = await sendMail(mail, {
      key: job.id,
      to: letter.to,
      composed: compose(letter, waiting.baseUrl),
      date: new Date(waiting.writtenAt),
      kind: letter.kind,
      ...('replyTo' in letter && { replyTo: letter.replyTo }),
      signal: job.signal,
    })
    switch (sent.outcome) {
      case 'sent':
        return log.info(told, 'a mail was sent')
      case 'refused':
        return log.error({ ...told, reason: sent.reason }, 'a mail was refused for good')
      case 'later':
        log.warn({ ...told, reason: sent.reason }, 'a mail could not be sent and is tried again later')
        // The queue keeps the error with the job; what the mail server says may hold the address, and stays out of it.
        throw new Error('The mail could not be sent')
    }
  })
}

function opened(vault: Vault, data: object): WaitingLetter | null {
  const text = vault.find(payload.parse(data).sealed, sealContext)
  return text === null ? null : waitingLetter.parse(JSON.parse(text))
}
