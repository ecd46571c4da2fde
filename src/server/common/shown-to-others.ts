import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import { ProofNeeded } from './errors.ts'

/** What may be visible in reports: anything in any of them, or just this client's, property's, segment's or schedule's. */
export type Shown = 'anything' | { client: number } | { property: string } | { segment: number } | { schedule: number }

/** Whether a session's owner has proven their identity lately, as SQL. @param sessions the table, or its alias */
export const isProvenNow = (sessions: string): string => `${sessions}.proven_at > now() - interval '10 minutes'`

/** How long it still counts as shown after it stopped: its owner may not be the one who stopped it, and starts it again. */
const countsMs = 90 * 24 * 3_600_000
const countsFrom = (now: Date): Date => new Date(now.getTime() - countsMs)

const none = sql`false`

/**
 * The reports it is in. A link keeps its segment's name; a schedule is shown only to those it emails, and one that is off emails nobody.
 */
function reportsWith(userId: string, what: Shown) {
  if (what === 'anything') return { schedules: sql`true`, links: sql`true`, lately: sql`true` }
  if ('schedule' in what) return { schedules: sql`report.id = ${what.schedule} AND report.enabled`, links: none, lately: none }
  if ('segment' in what) {
    const ofSegment = sql`report.segment_id = ${what.segment}`
    return { schedules: ofSegment, links: none, lately: ofSegment }
  }
  if ('client' in what) {
    const ofClient = sql`report.client_id = ${what.client}`
    return { schedules: ofClient, links: ofClient, lately: ofClient }
  }
  // No property name contains a null byte, and PostgreSQL rejects it in a query.
  const named = sql`SELECT id FROM properties WHERE user_id = ${userId} AND name = ${what.property.replaceAll('\0', '')}`
  const itself = sql`report.property_id IN (${named})`
  const about = sql`(${itself} OR report.client_id IN (SELECT client_id FROM report_client_properties WHERE property_id IN (${named})))`
  return { schedules: about, links: about, lately: itself }
}

/**
 * Whether somebody other than an account's owner sees it, or saw it in the last 90 days: by a link, or through a schedule that has
 * recipients other than the account's own address, whether it is on or off. Changing it speaks to them in the owner's name, at the latest
 * when the owner turns the report on again: a session alone, which may turn it off, isn't enough for that (docs/decisions/0111).
 */
export async function isShownToOthers(db: Db, { id, email }: { id: string; email: string }, what: Shown, now: Date): Promise<boolean> {
  const { schedules, links, lately } = reportsWith(id, what)
  const { rows } = await sql`SELECT WHERE EXISTS (SELECT FROM report_shares AS report
      WHERE report.user_id = ${id} AND report.expires_at > ${countsFrom(now)} AND ${links})
    OR EXISTS (SELECT FROM report_schedules AS report, unnest(report.recipients) AS recipient
      WHERE report.user_id = ${id} AND lower(recipient) <> lower(${email}) AND ${schedules})
    OR EXISTS (SELECT FROM shown_lately AS report
      WHERE report.user_id = ${id} AND report.last_at > ${countsFrom(now)} AND ${lately})`.execute(db)
  return rows.length > 0
}

/**
 * The same check when a change takes effect, long after its request was admitted. A proof given since counts too.
 * @param by absent on the command line
 * @throws ProofNeeded if others see it and the request's session was proven neither then nor now
 */
export async function mayChangeShown(
  trx: Db,
  by: { id: string; email: string; session?: { id: string; isProven: boolean } } | undefined,
  what: Shown,
  now: Date,
): Promise<void> {
  if (by?.session === undefined || by.session.isProven || !(await isShownToOthers(trx, by, what, now))) return
  const proven = trx
    .selectFrom('sessions')
    .where('id', '=', by.session.id)
    .where(sql<boolean>`${sql.raw(isProvenNow('sessions'))}`)
  if ((await proven.select('id').executeTakeFirst()) === undefined) throw new ProofNeeded()
}

/** Remembers what others see in an account's reports, or saw lately. To be called before anything that may end it. */
export async function rememberShown(trx: Db, userId: string, now: Date): Promise<void> {
  await sql`INSERT INTO shown_lately (user_id, property_id, client_id, segment_id, last_at)
    WITH report AS (
      SELECT property_id, client_id, NULL::bigint AS segment_id, least(expires_at, ${now}::timestamptz) AS at
      FROM report_shares WHERE user_id = ${userId} AND expires_at > ${countsFrom(now)}
      UNION ALL SELECT property_id, client_id, segment_id, ${now}::timestamptz FROM report_schedules
      WHERE user_id = ${userId} AND EXISTS (SELECT FROM unnest(recipients) AS recipient, users
        WHERE users.id = ${userId} AND lower(recipient) <> lower(users.email))
    ), shown (property_id, client_id, segment_id, at) AS (
      SELECT property_id, NULL::bigint, NULL::bigint, at FROM report WHERE property_id IS NOT NULL
      UNION ALL SELECT ofClient.property_id, NULL, NULL, at FROM report JOIN report_client_properties AS ofClient USING (client_id)
      UNION ALL SELECT NULL, client_id, NULL, at FROM report WHERE client_id IS NOT NULL
      UNION ALL SELECT NULL, NULL, segment_id, at FROM report WHERE segment_id IS NOT NULL
    )
    SELECT ${userId}::text, property_id, client_id, segment_id, max(at) FROM shown GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
    ON CONFLICT (user_id, property_id, client_id, segment_id) DO UPDATE SET last_at = excluded.last_at
    WHERE shown_lately.last_at < excluded.last_at - interval '1 hour'`.execute(trx)
}

/** Forgets what no longer counts. */
export async function forgetShown(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('shownLately').where('lastAt', '<', countsFrom(now)).execute()
}
