import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { fallingSite } from '../../../test/support/falling-site.ts'
import { alertReport } from '../../contract/alerts/alerts.ts'
import { periodicReport } from '../../contract/reports/periodic.ts'

const today = '2026-03-18'
const test = appTest({ today, demo: false })

test('a report explains its most severe alerts, as their own reports do', { tags: ['full'] }, async ({ app }) => {
  const { owner, site } = await fallingSite(app, 'reasons', { today, plan: 'pro' })
  const { sql } = await app.stores()
  await sql(`UPDATE alerts SET opened_at = '2026-03-15T12:00:00Z'`)
  const read = async () => {
    const { body } = await owner.get(`/api/reports/periodic?kind=week&start=2026-03-09&property=${encodeURIComponent(site)}`)
    return periodicReport.parse(body).advanced!.alerts
  }
  const listed = await read()
  expect(listed.map(({ severity }) => severity).toSorted()).toEqual(['critical', 'warning'])
  for (const { id, why } of listed) {
    const own = alertReport.parse((await owner.get(`/api/alerts/${id}`)).body).why
    expect(why).toBeTruthy()
    expect(own?.replaceAll(/<[^>]*>/g, '')).toBe(why)
  }
  // Only a few are explained; the gravest are.
  await sql(
    `INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, figures, opening, series, opened_at, judged_at, judged_through)
     SELECT property_id, kind, type, comparison, entity_kind, entity_name || n, 'info', state, figures, opening, series, opened_at, judged_at, judged_through
     FROM alerts, generate_series(1, 8) AS n WHERE severity = 'critical'`,
  )
  const more = await read()
  expect(more).toHaveLength(10)
  for (const { severity, why } of more) if (severity !== 'info') expect(why).toBeTruthy()
  expect(more.filter(({ why }) => why !== null).length).toBeLessThanOrEqual(5)
})
