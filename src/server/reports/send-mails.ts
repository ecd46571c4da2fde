import { sql } from 'kysely'
import { nameForStrangers, operatorNames } from '../mail/operators.ts'
import type { Config } from '../config.ts'
import type { Waiting } from '../database/fair-dispatch.ts'
import type { Db } from '../database/open.ts'
import { createOutbox, type Result } from '../database/outbox.ts'
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
  /** Where a recipient unsubscribes: a page for people, and a URL for mail programs to post to (RFC 8058). */
  unsubscribe: (userId: string, address: string) => string
  /** The report's page; null if its recipients have none. */
  pageOf: PageOf
  clock: Clock
  log: Log
  random?: () => number
}

type Outbox = ReturnType<typeof createOutbox<Waiting>>
type Row = NonNullable<Awaited<ReturnType<typeof dueRow>>>

/** Emails being sent at once in one process, and for one person over all processes; each holds a whole PDF meanwhile. */
const places = 4
const perPerson = 2
/** Longer than any mail server takes, except for one that takes minutes to respond. */
const attemptMs = 120_000

/** Sends due report emails (database/outbox.ts). */
export function createMailSender({ db, mail, baseUrl, unsubscribe, pageOf, clock, log, random }: SendMailsDeps) {
  const outbox = createOutbox<Waiting>('report_mails', { db, clock, log, random })

  async function send(row: Row, pdf: Buffer, signal: AbortSignal): Promise<Sent> {
    if (mail === undefined) return { outcome: 'later', reason: 'no mail server', answer: null }
    // Loaded with the first email, like all emails (docs/decisions/0018).
    const [{ reportEmail, logoId }, { sendMail }] = await Promise.all([import('./report-email.ts'), import('../mail/send.ts')])
    const content = mailContent.parse(row.mail)
    const { brand } = content
    const unsubscribePage = unsubscribe(row.userId, row.address)
    const logo = brand ? row.logo : null
    const page = await pageOf({ ...row, start: content.period.start, isBranded: brand !== null })
    const username = nameForStrangers(row.username, operatorNames(mail, baseUrl()))
    return sendMail(mail, {
      key: row.key,
      to: row.address,
      composed: reportEmail({ content, logo, username, baseUrl: baseUrl(), page, unsubscribePage }),
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

  /** A bug with one email must not hold up those behind it. */
  function unexpected(error: unknown): Sent {
    log.error({ err: error }, 'a report email failed with an unexpected error')
    return { outcome: 'later', reason: 'unexpected error', answer: null }
  }

  async function record(row: Row, scheduleId: number, sent: Sent, trx: Db): Promise<void> {
    const change = outbox.after(row, resultOf(sent))
    const entry = { mail: row.id, run: row.runId, attempts: change.attempts }
    await trx.updateTable('reportMails').set(change).where('id', '=', row.id).execute()
    if (sent.outcome === 'sent') {
      await trx.updateTable('reportSchedules').set({ lastSentAt: clock.now() }).where('id', '=', scheduleId).execute()
      return log.info(entry, 'a report email was sent')
    }
    const { reason } = sent
    if (change.state === 'waiting') return log.warn({ ...entry, reason }, 'a report email could not be sent; will retry')
    log.error({ ...entry, reason }, 'gave up on a report email')
  }

  /** An attempt cut short by a server shutdown doesn't count. */
  async function sendOne({ id }: Waiting, signal: AbortSignal): Promise<void> {
    const row = await dueRow(db, outbox, id)
    if (row === undefined) return
    const { scheduleId } = row
    // Nobody wants it anymore: its schedule was deleted or turned off, its owner removed the address, or the recipient unsubscribed or has
    // to agree again (schedules/recipients.ts).
    if (scheduleId === null || row.pdf === null || !row.wanted)
      return void (await db.deleteFrom('reportMails').where('id', '=', id).execute())
    const sent = await send(row, row.pdf, signal).catch(unexpected)
    if (sent.outcome === 'later' && signal.aborted) return
    await outbox.ifUnchanged(row, (trx) => record(row, scheduleId, sent, trx))
  }

  return {
    /** Sends everything that is due; stops early on the signal. The mail server is the operator's own. */
    sendDue: outbox.sendDue({ places, perPerson, placeOf: async () => null, work: sendOne }),
  }
}

/** An email with everything it needs; nothing if it was sent or postponed meanwhile. */
const dueRow = (db: Db, outbox: Outbox, id: number) =>
  db
    .selectFrom('reportMails')
    .innerJoin('reportRuns', 'reportRuns.id', 'reportMails.runId')
    .innerJoin('users', 'users.id', 'reportMails.userId')
    .leftJoin('reportBrands', 'reportBrands.userId', 'reportMails.userId')
    .leftJoin('reportSchedules', 'reportSchedules.id', 'reportRuns.scheduleId')
    .where('reportMails.id', '=', id)
    .where(outbox.isDue())
    .selectAll('reportMails')
    .select(outbox.version)
    .select(['reportRuns.scheduleId', 'reportRuns.mail', 'reportRuns.pdf', 'reportBrands.logo'])
    .select(['reportRuns.propertyId', 'reportRuns.clientId', 'reportRuns.segment', 'reportRuns.kind'])
    .select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))
    .select(
      sql<
        boolean | null
      >`report_schedules.enabled AND lower(report_mails.address) IN (SELECT lower(each) FROM unnest(report_schedules.recipients) AS each)
        AND lower(report_mails.address) <> ALL (report_schedules.unsubscribed)
        AND NOT EXISTS (SELECT 1 FROM report_recipients AS r WHERE r.user_id = report_mails.user_id
          AND r.address = lower(report_mails.address) AND r.unsubscribed_at IS NOT NULL)
        AND ((users.email_verified AND lower(users.email) = lower(report_mails.address))
          OR EXISTS (SELECT 1 FROM report_recipients AS r WHERE r.user_id = report_mails.user_id
            AND r.address = lower(report_mails.address) AND r.confirmed_at IS NOT NULL))`.as('wanted'),
    )
    .executeTakeFirst()

const resultOf = (sent: Sent): Result => (sent.outcome === 'sent' ? sent : { outcome: sent.outcome, detail: detailOf(sent) })

/** Network errors name machines of the operator; only the mail server's own words are for its users. */
function detailOf(sent: Exclude<Sent, { outcome: 'sent' }>): string {
  const said = sent.answer === null ? '' : ` (${sent.answer})`
  if (sent.outcome === 'later') {
    return sent.answer === null ? "The mail server couldn't be reached." : `The mail server can't accept email right now${said}.`
  }
  return sent.about === 'mail' ? `The mail server refused the email${said}.` : `The mail server refused this address${said}. Check it.`
}
