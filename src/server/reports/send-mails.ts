import { sql } from 'kysely'
import { isGivenUp, nextAttempt } from '../../core/delivery/retries.ts'
import type { Config } from '../config.ts'
import { createHandOut } from '../database/hand-out.ts'
import { createLeases } from '../database/leases.ts'
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
  unsubscribe: (userId: string, address: string) => string
  /** Where a report is on screen; null where there is no such place for those who get it. */
  pageOf: PageOf
  clock: Clock
  log: Log
  random?: () => number
}

type Row = NonNullable<Awaited<ReturnType<typeof dueRow>>>

/** Mails on their way at the same time in one process, and over all processes of one person; each holds a whole PDF meanwhile. */
const places = 4
const perPerson = 2
/** People whose mails are looked up at once. */
const mostLanes = 500
/** Longer than any mail server takes, except for one that thinks for minutes. */
const attemptMs = 120_000
/** A pause is at most an hour: one that seems longer was set by a clock that was wrong. */
const tooFarMs = 2 * 24 * 3_600_000

/**
 * Sends the mails of reports that are due, people by turns. A mail is held (database/leases.ts) from before it is sent until
 * what became of it is written: no two processes send the same one, and one that dies gives it back within seconds. While
 * the mail server is waited for, no transaction is open and no database connection is taken (docs/decisions/0051).
 */
export function createMailSender({ db, mail, baseUrl, unsubscribe, pageOf, clock, log, random = Math.random }: SendMailsDeps) {
  async function send(row: Row, pdf: Buffer, signal: AbortSignal): Promise<Sent> {
    if (mail === undefined) return { outcome: 'later', reason: 'no mail server', answer: null }
    // Loaded with the first mail, as letters are (docs/decisions/0018).
    const [{ reportLetter, logoId }, { sendMail }] = await Promise.all([import('./letter.ts'), import('../mail/send.ts')])
    const content = mailContent.parse(row.mail)
    const { brand } = content
    const unsubscribePage = unsubscribe(row.userId, row.address)
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

  /** Whether the mail is still there as it was: its owner may have deleted their account meanwhile. */
  const isUnchanged = async ({ id, version }: Row, trx: Db): Promise<boolean> =>
    (await trx
      .selectFrom('reportMails')
      .where('id', '=', id)
      .where(sql<boolean>`xmin::text = ${version}`)
      .select('id')
      .forUpdate()
      .executeTakeFirst()) !== undefined

  /** What is cut short because the server stops is as if it had not been tried. */
  async function sendOne({ id }: { id: number }, signal: AbortSignal): Promise<void> {
    const row = await dueRow(db, id, clock.now())
    if (row === undefined) return
    const { scheduleId } = row
    // Nobody wants it any more: its schedule is gone, its owner took the address off, or who was to get it has unsubscribed.
    if (scheduleId === null || row.pdf === null || !row.wanted)
      return void (await db.deleteFrom('reportMails').where('id', '=', id).execute())
    const sent = await send(row, row.pdf, signal).catch(unexpected)
    if (sent.outcome === 'later' && signal.aborted) return
    await db.transaction().execute(async (trx) => {
      if (await isUnchanged(row, trx)) await record(row, scheduleId, sent, trx)
    })
  }

  return {
    /** Sends everything that is due; ends early when the signal says so. */
    sendDue: createHandOut({
      leases: createLeases(db, { table: 'leases', kind: 'report-mail' }, log),
      places,
      perPerson,
      next: (without) => nextOfEach(db, clock.now(), without),
      heldElsewhere: () => isHeld(db, clock.now()),
      // The mail server is the house's own.
      placeOf: async () => null,
      work: sendOne,
    }),
  }
}

const dueMails = (db: Db, now: Date) =>
  db
    .selectFrom('reportMails')
    .where('reportMails.state', '=', 'waiting')
    .where((eb) =>
      eb.or([eb('reportMails.nextAttemptAt', '<=', now), eb('reportMails.nextAttemptAt', '>', new Date(now.getTime() + tooFarMs))]),
    )
const isInHand = sql<boolean>`EXISTS (SELECT 1 FROM leases
  WHERE leases.kind = 'report-mail' AND leases.key = report_mails.id::text AND leases.until > clock_timestamp())`

/** Of each person the mail that has been due the longest and that nobody has in hand. */
async function nextOfEach(db: Db, now: Date, without: readonly string[]) {
  const first = dueMails(db, now)
    .where(sql<boolean>`NOT ${isInHand}`)
    .where(sql<boolean>`user_id <> ALL (${[...without]}::text[])`)
    .distinctOn('userId')
    .select(['id', 'userId', 'nextAttemptAt'])
    .orderBy('userId')
    .orderBy('nextAttemptAt')
    .orderBy('id')
  const rows = await db.selectFrom(first.as('first')).selectAll().orderBy('nextAttemptAt').orderBy('id').limit(mostLanes).execute()
  return rows.map(({ id, userId }) => ({ id, userId, lane: userId }))
}

const isHeld = async (db: Db, now: Date): Promise<boolean> =>
  (await dueMails(db, now).where(isInHand).select('id').limit(1).executeTakeFirst()) !== undefined

/** A mail with all that it is made of; nothing when that was done meanwhile, or is to be done later. `version` tells whether it was changed since. */
const dueRow = (db: Db, id: number, now: Date) =>
  dueMails(db, now)
    .innerJoin('reportRuns', 'reportRuns.id', 'reportMails.runId')
    .innerJoin('users', 'users.id', 'reportMails.userId')
    .leftJoin('reportBrands', 'reportBrands.userId', 'reportMails.userId')
    .leftJoin('reportSchedules', 'reportSchedules.id', 'reportRuns.scheduleId')
    .where('reportMails.id', '=', id)
    .selectAll('reportMails')
    .select(sql<string>`report_mails.xmin::text`.as('version'))
    .select(['reportRuns.scheduleId', 'reportRuns.mail', 'reportRuns.pdf', 'reportBrands.logo'])
    .select(['reportRuns.propertyId', 'reportRuns.clientId', 'reportRuns.kind'])
    .select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))
    .select(
      sql<boolean | null>`lower(report_mails.address) IN (SELECT lower(each) FROM unnest(report_schedules.recipients) AS each)
        AND lower(report_mails.address) <> ALL (report_schedules.unsubscribed)
        AND NOT EXISTS (SELECT 1 FROM report_recipients AS r WHERE r.user_id = report_mails.user_id
          AND r.address = lower(report_mails.address) AND r.unsubscribed_at IS NOT NULL)`.as('wanted'),
    )
    .executeTakeFirst()

/** What the network says names machines of whoever runs this installation; only what the mail server says is for its people. */
function detailOf(sent: Exclude<Sent, { outcome: 'sent' }>): string {
  const said = sent.answer === null ? '' : ` (${sent.answer})`
  if (sent.outcome === 'later') {
    return sent.answer === null ? "The mail server couldn't be reached." : `The mail server couldn't accept the email for now${said}.`
  }
  return sent.about === 'mail' ? `The mail server refused the email${said}.` : `The mail server refused this address${said}. Check it.`
}
