import type { NewCondition } from '../../src/contract/alerts/conditions.ts'
import { alertConditions } from '../../src/contract/alerts/conditions.ts'
import { alerts, type Alert } from '../../src/contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import type { TestApp } from './app.ts'
import { newPerson, select, shortenHistory, synced } from './people.ts'
import type { Visitor } from './visitor.ts'

/** A page's last complete week relative to the weeks before, and its daily clicks until then. */
type Week = { path: string; clicks: number; factor: number }

const weeks: readonly Week[] = [
  { path: 'lamps', clicks: 2_000, factor: 0.4 },
  { path: 'rugs/handwoven-wool-rugs-from-the-mountains', clicks: 1_000, factor: 0.75 },
  { path: 'chairs', clicks: 800, factor: 0.875 },
  { path: 'beds', clicks: 600, factor: 0.5 },
  { path: 'sofas', clicks: 500, factor: 0.8 },
  { path: 'shelves', clicks: 400, factor: 0.85 },
  { path: 'tables', clicks: 200, factor: 1 },
]

/** Six pages lose clicks, and impressions along with them. */
const rules: readonly NewCondition[] = [
  { type: 'clicks', title: 'Clicks drop', threshold: 10 },
  { type: 'impressions', title: 'Impressions drop', monitor: 'top_pages', threshold: 10, isEnabled: true },
]

export type Alerted = { person: Visitor; site: string; found: () => Promise<Alert[]> }

/**
 * A user with one property and six alerts: about pages that lost clicks and impressions. Google has completed all days but the last two.
 */
export async function alerted(app: TestApp, name: string): Promise<Alerted> {
  const site = `https://${name}.example/`
  const email = `${name}@example.test`
  const today = app.google.now().toISOString().slice(0, 10)
  const through = addDays(today, -2)
  const person = await newPerson(app, { email, sites: { [site]: 'empty' } })
  for (const date of eachDay(addDays(through, -27), today)) {
    const rows = weeks.map(({ path, clicks, factor }) => {
      const count = clicks * (date > addDays(through, -7) ? factor : 1)
      return { query: path, page: `${site}${path}`, clicks: count, impressions: count * 10, position: 4 }
    })
    await app.google.setRows(site, date, rows)
  }
  await shortenHistory(app, site, 31)
  await select(person, site)
  await synced(person, site)
  // Only these rules.
  for (const { id } of alertConditions.parse((await person.get('/api/alert-conditions')).body)) {
    await person.send('DELETE', `/api/alert-conditions/${id}`)
  }
  for (const rule of rules) await person.send('POST', '/api/alert-conditions', rule)
  await person.send('POST', '/api/alerts/evaluate')
  return { person, site, found: foundBy(person) }
}

const foundBy = (person: Visitor) => async () => alerts.parse((await person.get('/api/alerts')).body)
