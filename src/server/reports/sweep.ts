import { sql } from 'kysely'
import { reportBytesKept, reportFilesKept, sharedBytesKept, sharedFilesKept } from '../../contract/reports/limits.ts'
import { eachStep } from '../common/each-step.ts'
import { forgetShown } from '../common/shown-to-others.ts'
import { changeInBatches } from '../database/in-batches.ts'
import type { Db } from '../database/open.ts'
import { forgetAskedAddresses } from '../common/asked-addresses.ts'

const dayMs = 24 * 3_600_000
/** How long reports are kept, and links after they expire. */
const keptDays = 90
/** Limits for one account's files, in number and bytes; the newest are kept. */
type Kept = { files: number; bytes: number }
const ofReports: Kept = { files: reportFilesKept, bytes: reportBytesKept }
/** Files may be megabytes in size. */
const filesAtOnce = 100
const ofLinks: Kept = { files: sharedFilesKept, bytes: sharedBytesKept }

/**
 * Deletes old reports with their files and emails, links nobody can open anymore, what no longer counts about addresses that were asked,
 * and files beyond the account's limits
 * (docs/decisions/0060). A file stays until its emails are sent.
 */
export async function forgetOldReports(db: Db, now: Date, most = ofReports): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  const tooMany = sql`pdf IS NOT NULL AND id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER newest AS place, sum(octet_length(pdf)) OVER newest AS bytes
        FROM report_runs WHERE pdf IS NOT NULL WINDOW newest AS (PARTITION BY user_id ORDER BY id DESC)) AS kept
      WHERE kept.place > ${most.files} OR kept.bytes > ${most.bytes})
    AND NOT EXISTS (SELECT FROM report_mails WHERE run_id = report_runs.id AND state = 'waiting')`
  await eachStep([
    () => changeInBatches(db, { table: 'report_runs', where: sql`created_at < ${before}`, atOnce: filesAtOnce }),
    () => changeInBatches(db, { table: 'report_shares', where: sql`expires_at < ${before}`, atOnce: filesAtOnce }),
    () => changeInBatches(db, { table: 'report_runs', where: tooMany, set: sql`pdf = NULL`, atOnce: filesAtOnce }),
    () => forgetAskedAddresses(db, now),
    () => forgetShown(db, now),
    // Files of shared links are redrawn every day anyway.
    () =>
      changeInBatches(db, {
        table: 'report_shares',
        where: sql`pdf IS NOT NULL`,
        set: sql`pdf = NULL, pdf_key = NULL`,
        atOnce: filesAtOnce,
      }),
  ])
}

/**
 * Deletes files of an account's shared links beyond the limits; they are redrawn on the next request. The one drawn last stays. Skips rows
 * that somebody else is changing, so that nobody waits.
 */
export async function forgetSharedFiles(db: Db, userId: string, drawnLast: number, most = ofLinks): Promise<void> {
  await sql`UPDATE report_shares SET pdf = NULL, pdf_key = NULL WHERE id IN (
      SELECT id FROM report_shares WHERE id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER newest AS place, sum(octet_length(pdf)) OVER newest AS bytes FROM report_shares
          WHERE user_id = ${userId} AND pdf IS NOT NULL WINDOW newest AS (ORDER BY id = ${drawnLast} DESC, id DESC)) AS kept
        WHERE kept.place > ${most.files} OR kept.bytes > ${most.bytes})
      FOR UPDATE SKIP LOCKED)`.execute(db)
}
