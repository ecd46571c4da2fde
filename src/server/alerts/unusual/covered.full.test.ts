import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays } from '../../../core/analytics/days.ts'

const first = '2026-03-01'
const start = addDays(first, -120)
const site: NewCondition = { type: 'clicks', title: 'Site', monitor: 'site', threshold: 15, comparison: 'previous_30_days' }
const pages: NewCondition = { type: 'clicks', title: 'Pages', monitor: 'pages', targets: ['/pricing'], threshold: 15 }
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-04-18T20:00:00Z')))
afterAll(() => evaluated.close())

test("a page that is only shown with a site's alert, since it moved a little, is reported when it falls weeks later", async () => {
  const last = addDays(first, 24)
  const property = await evaluated.property('https://shown.example/', { through: last, rules: [site, pages] })
  await property.store(start, last, (date) => {
    const usual = 100 + ((Date.parse(date) / 86_400_000) % 7)
    const pricing = date < first ? 1 : date < addDays(first, 18) ? 0.98 : 0.65
    return [
      { page: '/lamp', clicks: Math.round(6 * usual * (date < first ? 1 : 0.65)) },
      { page: '/pricing', clicks: Math.round(3 * usual * pricing) },
    ]
  })
  await property.backfilled(start, start)
  const found: string[] = []
  const parts: unknown[] = []
  for (const day of [6, 10, 16, 17, 24]) {
    const through = addDays(first, day)
    await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${property.id}`.execute(evaluated.stores.db)
    await evaluated.alerts.evaluate('u', { ...property, completeThrough: through })
    const open = await property.list()
    const [shown] = await evaluated.stores.db
      .selectFrom('alerts')
      .where('propertyId', '=', property.id)
      .where('entityKind', '=', 'site')
      .select(['contributors', 'covered'])
      .execute()
    parts.push({ day, shown: shown?.contributors.map(({ entity }) => entity.name), covered: shown?.covered.length })
    found.push(`${day}: ${open.map(({ entity }) => entity.kind).join(', ')}`)
  }
  expect(parts).toContainEqual({ day: 17, shown: ['/lamp', '/pricing'], covered: 0 })
  expect(found).toEqual(['6: site', '10: site', '16: site', '17: site', '24: page, site'])
})
