import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { sites } from '../../../test/support/app.ts'
import { synced } from '../../../test/support/people.ts'
import { scriptedIn, toldInLastDays } from '../../../test/support/scripted-incidents.ts'
import { addDays } from '../../core/analytics/days.ts'

// The last ninety days of the sample properties, judged evening by evening by the rules that come by themselves.

const days = 90
/** What these rules watch; the others are about what is new or gone, which other rules look for. */
const watched = ['shop-page-lost', 'shop-ctr-collapse', 'shop-clicks-drop', 'shop-spike', 'blog-spike', 'local-clicks-drop']
/** Days after an incident's end on which its week still shows it. */
const shows = 14

const test = appTest({ today: '2026-03-18' })

test('each scripted incident is told as one alert, and nothing else is told', { timeout: 900_000 }, async ({ app }) => {
  const demo = await app.demo()
  let through = ''
  for (const site of Object.values(sites)) through = (await synced(demo, site, 400_000)).completeThrough ?? ''
  const scripted = await scriptedIn(app, through)
  const told: Record<string, string[]> = {}
  for (const [label, site] of Object.entries(sites)) {
    const own = [...scripted.incidents.values()].filter(({ property }) => property === label)
    for (const alert of await toldInLastDays(scripted, site, days)) {
      // The clock stands still while the days move back, so the product reports their data as late.
      if (alert.entity.kind === 'connection') continue
      const begun = alert.current?.end ?? ''
      const of = own.filter(({ start, end }) => start <= begun && begun <= addDays(end, shows)).map(({ id }) => id)
      told[label] = [...(told[label] ?? []), `${begun} ${alert.title} [${of.join(' ')}]`]
    }
  }
  const within = watched.filter((id) => (scripted.incidents.get(id)?.start ?? '') > addDays(through, 7 - days))
  const lines = Object.values(told).flat()
  const missed = within.filter((id) => !lines.some((line) => line.includes(id)))
  // Told in whole, so that a failure says which alert is one too many.
  expect({ lines, missed }).toEqual({ lines, missed: [] })
  expect({ lines, tooMany: Math.max(0, lines.length - within.length) }).toEqual({ lines, tooMany: 0 })
})
