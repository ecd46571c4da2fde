import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { sites } from '../../../test/support/app.ts'
import { synced } from '../../../test/support/people.ts'
import { scriptedIn, toldInLastDays } from '../../../test/support/scripted-incidents.ts'
import { addDays } from '../../core/analytics/days.ts'

// The last hundred days of the sample properties, judged evening by evening by the rules that come by themselves.

/** From before the first of the incidents on. */
const days = 102
/** What these rules watch. The others are about what is new or gone, or rises on one page, which other rules look for. */
const watched = ['shop-page-lost', 'shop-ctr-collapse', 'shop-clicks-drop', 'shop-position-slide', 'blog-spike', 'local-clicks-drop']
/** Days after an incident's end on which its week still shows it. */
const shows = 14
/** Alerts of nothing that was scripted, on the ten pages of each of the three: about five a year and site. */
const mostStray = 4

const test = appTest({ today: '2026-03-18' })

test('each scripted incident is told as one alert, and hardly anything else is told', { timeout: 1_500_000 }, async ({ app }) => {
  const demo = await app.demo()
  let through = ''
  for (const site of Object.values(sites)) through = (await synced(demo, site, 400_000)).completeThrough ?? ''
  const scripted = await scriptedIn(app, through)
  const told: { line: string; of: string[] }[] = []
  for (const [label, site] of Object.entries(sites)) {
    const own = [...scripted.incidents.values()].filter(({ property }) => property === label)
    for (const { entity, current, title } of await toldInLastDays(scripted, site, days)) {
      // The clock stands still while the days move back, so the product reports their data as late.
      if (entity.kind === 'connection') continue
      const day = current?.end ?? ''
      const of = own.filter(
        ({ start, end, page, query }) => start <= day && day <= addDays(end, shows) && [null, entity.name].includes(page ?? query),
      )
      told.push({ line: `${day} ${title}`, of: of.map(({ id }) => id) })
    }
  }
  const within = watched.filter((id) => (scripted.incidents.get(id)?.start ?? '') > addDays(through, 7 - days))
  expect(within).toHaveLength(watched.length)
  // Told in whole, so that a failure says which alert is missing or one too many.
  const linesOf = (id: string) => told.filter(({ of }) => of.includes(id)).map(({ line }) => line)
  expect(Object.fromEntries(within.map((id) => [id, linesOf(id)]))).toEqual(
    Object.fromEntries(within.map((id) => [id, [expect.any(String)]])),
  )
  const strays = told.filter(({ of }) => of.length === 0).map(({ line }) => line)
  expect({ strays, tooMany: Math.max(0, strays.length - mostStray) }).toEqual({ strays, tooMany: 0 })
})
