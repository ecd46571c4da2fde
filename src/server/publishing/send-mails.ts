import { sql } from 'kysely'
import { isGivenUp, nextAttempt } from '../../core/delivery/retries.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import type { Sent } from '../mail/send.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { mailContent } from './mail-content.ts'
import type { PageOf } from './pages-of-reports.ts'
import { reportFileName } from './report-file-name.ts'

export type SendMailsDeps = {
  db: Db
  mail: Config['mail']
  baseUrl: () => string
  /** Where a recipient ends these mails: people see a page there, mail programs post to it (RFC 8058). */
  unsubscribe: (scheduleId: number, address: string) => string
  /** Where a report is on screen; null where there is no such place for those who get it. */
  pageOf: PageOf
  clock: Clock
  log: Log
  random?: () => number
}

type Row = NonNullable<Awaited<ReturnType<typeof lockNext>>>

/** Mails on their way at the same time in one process; each holds a database connection and a whole PDF meanwhile. */
const places = 2
/** Longer than any mail server takes, except for one that thinks for minutes. */
const attemptMs = 120_000
/** A pause is at most an hour: one that seems longer was set by a clock that was wrong. */
const tooFarMs = 2 * 24 * 3_600_000

/**
 * Sends the mails of reports that are due. The row of a mail is locked from before it is sent until what became of it is
 * written: no two processes send the same one, and one that dies gives it back at once.
 */
export function createMailSender({ db, mail, baseUrl, unsubscribe, pageOf, clock, log, random = Math.random }: SendMailsDeps) {
  async function send(row: Row, scheduleId: number, pdf: Buffer, signal: AbortSignal): Promise<Sent> {
    if (mail === undefined) return { outcome: 'later', reason: 'no mail server', answer: null }
    // Loaded with the first mail, as letters are (docs/decisions/0018).
    const [{ reportLetter, logoId }, { sendMail }] = await Promise.all([import('./letter.ts'), import('../mail/send.ts')])
    const content = mailContent.parse(row.mail)
    const { brand } = content
    const unsubscribePage = unsubscribe(scheduleId, row.address)
    const logo = brand ? row.logo : null
    const page = await pageOf({ ...row, start: content.period.start, isBranded: brand !== null })
    return sendMail(mail, {
      key: row.key,
      to: row.address,
      composed: reportLetter({ content, logo, username: row.username, baseUrl: baseUrl(), page, unsubscribePage }),
      date: row.createdAt,
      kind: brand ? null : 'report',
      senderName: brand?.senderName,
      ...(brand?.replyTo && { replyTo: brand.replyTo }),
      attachments: [
        { fileName: reportFileName(content.title, content.period), type: 'application/pdf', content: pdf },
        ...(logo ? [{ fileName: 'logo.png', type: 'image/png', content: logo, id: logoId }] : []),
      ],
      headers: { 'List-Unsubscribe': `<${unsubscribePage}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
    })
  }

  /** A mistake of ours with one mail must not hold up those behind it. */
  function unexpected(error: unknown): Sent {
    log.error({ err: error }, 'a mail with a report met an error of its own')
    return { outcome: 'later', reason: 'an error of its own', answer: null }
  }

  async function record(row: Row, scheduleId: number, sent: Sent, trx: Db): Promise<void> {
    const now = clock.now()
    const attempts = row.attempts + 1
    const told = { mail: row.id, run: row.runId, attempts }
    const set = (change: object) =>
      trx
        .updateTable('reportMails')
        .set({ attempts, ...change })
        .where('id', '=', row.id)
        .execute()
    if (sent.outcome === 'sent') {
      await set({ state: 'sent', sentAt: now, detail: null })
      await trx.updateTable('reportSchedules').set({ lastSentAt: now }).where('id', '=', scheduleId).execute()
      return log.info(told, 'a mail with a report was sent')
    }
    const detail = detailOf(sent)
    if (sent.outcome === 'later' && !isGivenUp(now, attempts, row.giveUpAt)) {
      await set({ detail, nextAttemptAt: nextAttempt(now, attempts, undefined, random()) })
      return log.warn({ ...told, reason: sent.reason }, 'a mail with a report could not be sent and is tried again later')
    }
    await set({ state: 'failed', detail })
    log.error({ ...told, reason: sent.reason }, 'a mail with a report was given up')
  }

  /** Takes one mail that is due; answers whether there was one. */
  const sendNext = (signal: AbortSignal): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const row = await lockNext(trx, clock.now())
      if (row === undefined) return false
      // Nobody wants it any more: its schedule is gone, its owner took the address off, or who was to get it has unsubscribed.
      if (row.scheduleId === null || row.pdf === null || !row.wanted) {
        await trx.deleteFrom('reportMails').where('id', '=', row.id).execute()
        return true
      }
      const sent = await send(row, row.scheduleId, row.pdf, signal).catch(unexpected)
      // What was cut short because the server stops is as if it had not been tried.
      if (sent.outcome === 'later' && signal.aborted) return false
      await record(row, row.scheduleId, sent, trx)
      return true
    })

  return {
    /** Sends everything that is due; ends early when the signal says so. */
    async sendDue(signal: AbortSignal): Promise<void> {
      const lane = async (): Promise<void> => {
        while (!signal.aborted && (await sendNext(signal))) continue
      }
      await Promise.all(Array.from({ length: places }, lane))
    },
  }
}

/** The mail that has been due the longest and that nobody has in hand, locked, with all that it is made of. */
const lockNext = (trx: Db, now: Date) =>
  trx
    .selectFrom('reportMails')
    .innerJoin('reportRuns', 'reportRuns.id', 'reportMails.runId')
    .innerJoin('users', 'users.id', 'reportMails.userId')
    .leftJoin('reportBrands', 'reportBrands.userId', 'reportMails.userId')
    .leftJoin('reportSchedules', 'reportSchedules.id', 'reportRuns.scheduleId')
    .where('reportMails.state', '=', 'waiting')
    .where((eb) =>
      eb.or([eb('reportMails.nextAttemptAt', '<=', now), eb('reportMails.nextAttemptAt', '>', new Date(now.getTime() + tooFarMs))]),
    )
    .selectAll('reportMails')
    .select(['reportRuns.scheduleId', 'reportRuns.mail', 'reportRuns.pdf', 'reportBrands.logo'])
    .select(['reportRuns.propertyId', 'reportRuns.clientId', 'reportRuns.kind'])
    .select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))
    .select(
      sql<boolean | null>`lower(report_mails.address) IN (SELECT lower(each) FROM unnest(report_schedules.recipients) AS each)
        AND lower(report_mails.address) <> ALL (report_schedules.unsubscribed)`.as('wanted'),
    )
    .orderBy('reportMails.nextAttemptAt')
    .limit(1)
    .forUpdate('reportMails')
    .skipLocked()
    .executeTakeFirst()

/** What the network says names machines of whoever runs this installation; only what the mail server says is for its people. */
function detailOf(sent: Exclude<Sent, { outcome: 'sent' }>): string {
  const said = sent.answer === null ? '' : ` (${sent.answer})`
  if (sent.outcome === 'later') {
    return sent.answer === null ? 'The mail server could not be reached.' : `The mail server could not take the mail for now${said}.`
  }
  return sent.about === 'mail' ? `The mail server refused this mail${said}.` : `The mail server refuses this address${said}. Check it.`
}
