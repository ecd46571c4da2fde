import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { sites } from '../../../test/support/app.ts'
import { synced } from '../../../test/support/people.ts'
import { scriptedIn, alertsOfLastDays } from '../../../test/support/scripted-incidents.ts'
import type { NewCondition } from '../../contract/alerts/conditions.ts'
import { addDays } from '../../core/analytics/days.ts'

// The last 90 days of the sample properties, evaluated evening by evening with the default rules and one about rises of top pages.

/** Somebody adds it: none of the default rules looks for rises of pages (OPEN-POINTS 25). */
const rises: NewCondition = { type: 'clicks', title: 'Clicks spike', direction: 'rises', threshold: 50, onlyUnusual: true }

/** They begin on the last day of the first of the incidents. */
const days = 90
/** What these rules watch. The others are about new or lost things, which other rules look for. */
const monitored = [
  'shop-page-lost',
  'shop-ctr-collapse',
  'shop-clicks-drop',
  'shop-spike',
  'shop-position-slide',
  'blog-spike',
  'local-clicks-drop',
]
/** A query that people begin to search for brings clicks to its page. */
const pageOfQuery: Record<string, string> = { throw: 'https://www.lumenandloom.example/collections/throw/' }
/** Days after an incident's end on which its week still shows it. */
const shows = 14

const test = appTest({ today: '2026-03-18' })

test('each scripted incident is sent as one alert, and nothing else is sent', { timeout: 1_500_000 }, async ({ app }) => {
  const demo = await app.demo()
  let through = ''
  for (const site of Object.values(sites)) through = (await synced(demo, site, 400_000)).completeThrough ?? ''
  const scripted = await scriptedIn(app, through)
  const opened: { line: string; of: string[] }[] = []
  for (const [label, site] of Object.entries(sites)) {
    expect((await demo.send('POST', `/api/alert-conditions?property=${encodeURIComponent(site)}`, rises)).status).toBe(201)
    const own = [...scripted.incidents.values()].filter(({ property }) => property === label)
    for (const { entity, current, title } of await alertsOfLastDays(scripted, site, days)) {
      // The clock is frozen while the days move back, so the product reports their data as late.
      if (entity.kind === 'connection') continue
      const day = current?.end ?? ''
      const of = own.filter(
        ({ start, end, page, query }) =>
          start <= day && day <= addDays(end, shows) && [null, entity.name].includes(page ?? pageOfQuery[query ?? ''] ?? query),
      )
      opened.push({ line: `${day} ${title}`, of: of.map(({ id }) => id) })
    }
  }
  const within = monitored.filter((id) => (scripted.incidents.get(id)?.end ?? '') > addDays(through, -days))
  expect(within).toHaveLength(monitored.length)
  // Compared as a whole, so that a failure shows which alert is missing or extra.
  const linesOf = (id: string) => opened.filter(({ of }) => of.includes(id)).map(({ line }) => line)
  expect(Object.fromEntries(within.map((id) => [id, linesOf(id)]))).toEqual(
    Object.fromEntries(within.map((id) => [id, [expect.any(String)]])),
  )
  const strays = opened.filter(({ of }) => of.length === 0).map(({ line }) => line)
  expect(strays).toEqual([])
})
