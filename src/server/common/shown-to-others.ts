import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** What may be visible in reports: anything in any of them, or just this client's, property's, segment's or schedule's. */
export type Shown = 'anything' | { client: number } | { property: string } | { segment: number } | { schedule: number }

/** The reports it is in. A link keeps its segment's name; and whoever is shown a schedule is emailed by it. */
function reportsWith(userId: string, what: Shown) {
  if (what === 'anything') return { schedules: sql`true`, links: sql`true` }
  if ('schedule' in what) return { schedules: sql`report.id = ${what.schedule}`, links: sql`false` }
  if ('segment' in what) return { schedules: sql`report.segment_id = ${what.segment}`, links: sql`false` }
  if ('client' in what) {
    const ofClient = sql`report.client_id = ${what.client}`
    return { schedules: ofClient, links: ofClient }
  }
  // No property name contains a null byte, and PostgreSQL rejects it in a query.
  const named = sql`SELECT id FROM properties WHERE user_id = ${userId} AND name = ${what.property.replaceAll('\0', '')}`
  const about = sql`(report.property_id IN (${named})
    OR report.client_id IN (SELECT client_id FROM report_client_properties WHERE property_id IN (${named})))`
  return { schedules: about, links: about }
}

/**
 * Whether somebody other than an account's owner sees it: by a link in force, or through a schedule that is on and has recipients other
 * than the account's own address. Changing it then speaks to them in the owner's name, for which a session alone isn't enough.
 */
export async function isShownToOthers(db: Db, { id, email }: { id: string; email: string }, what: Shown, now: Date): Promise<boolean> {
  const { schedules, links } = reportsWith(id, what)
  const { rows } = await sql`SELECT WHERE EXISTS (SELECT FROM report_shares AS report
      WHERE report.user_id = ${id} AND report.expires_at > ${now} AND ${links})
    OR EXISTS (SELECT FROM report_schedules AS report, unnest(report.recipients) AS recipient
      WHERE report.user_id = ${id} AND report.enabled AND lower(recipient) <> lower(${email}) AND ${schedules})`.execute(db)
  return rows.length > 0
}
