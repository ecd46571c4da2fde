import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'

// The country whose public holidays a property has: guessed, or chosen by its owner, and what that changes.

/** Good Friday to Easter Monday of 2025 were 18 to 21 April; the site has no clicks by country, so there is no guess. */
const through = '2025-04-21'
const oldest = addDays(through, -300)
const unusual: NewCondition = { type: 'clicks', kind: 'unusual', title: 'Unusual clicks' }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2025-04-24T20:00:00Z')))
afterAll(() => evaluated.close())

async function quietEaster() {
  const site = await evaluated.property(`https://holidays${++sites}.example/`, { through, rules: [unusual] })
  await site.store(oldest, through, (date) => {
    const usual = 1_000 + ((dayNumber(date) * 37) % 60)
    return [{ page: '/', clicks: date === '2025-04-18' || date === '2025-04-21' ? Math.round(usual * 0.45) : usual }]
  })
  await site.backfilled(oldest, oldest)
  return site
}
const states = async (of: Awaited<ReturnType<typeof quietEaster>>) => (await of.list()).map(({ state }) => state)
const restsOn = async ({ id }: { id: number }) =>
  (await sql<{ restsOn: string }>`SELECT rests_on AS "restsOn" FROM site_baselines WHERE property_id = ${id}`.execute(evaluated.stores.db))
    .rows

test('the same days alert or not by the country, and changing it evaluates them again', { tags: ['full'] }, async () => {
  const site = await quietEaster()
  expect(await evaluated.alerts.holidayCountry.read(site)).toMatchObject({ chosen: null, guessed: null })
  await evaluated.alerts.runDue()
  expect(await states(site)).toEqual(['firing'])
  const before = await restsOn(site)
  // The clock stands still.
  await sql`UPDATE alerts SET judged_at = judged_at - interval '1 hour' WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
  evaluated.announced.length = 0

  expect(await evaluated.alerts.holidayCountry.save('u', site, 'deu')).toMatchObject({ chosen: 'deu' })
  await evaluated.alerts.runDue()
  expect(await states(site)).toEqual(['recovered'])
  // Google revised nothing, and nobody is notified of what the owner changed.
  expect((await site.list())[0]?.ended).toMatchObject({ as: 'ended', reason: 'rule_changed' })
  expect(evaluated.announced.flatMap(({ recovered }) => recovered)).toEqual([])
  // The stored summary of its past was based on other holidays.
  expect(await restsOn(site)).not.toEqual(before)

  // Where Easter is no holiday, the days are a drop.
  await evaluated.alerts.holidayCountry.save('u', site, 'jpn')
  await evaluated.alerts.runDue()
  expect(await states(site)).toContain('firing')
  expect(await evaluated.alerts.holidayCountry.save('u', site, null)).toMatchObject({ chosen: null })
})

test('the guess is the country with the most clicks, unless somebody chose another, or none', { tags: ['full'] }, async () => {
  const site = await quietEaster()
  const load = await evaluated.stores.facts.beginLoad(site.id, 'web')
  const of = (country: string, clicks: number) => ({ date: through, keys: [country], clicks, impressions: clicks * 10, position: 3 })
  await load.write('country', [of('deu', 500), of('usa', 200)])
  await load.publish(new Map([['country', [through]]]))
  expect(await evaluated.alerts.holidayCountry.read(site)).toMatchObject({ chosen: null, guessed: 'deu' })
  await evaluated.alerts.runDue()
  expect(await states(site)).toEqual([])
  await evaluated.alerts.holidayCountry.save('u', site, 'none')
  await evaluated.alerts.runDue()
  expect(await states(site)).toEqual(['firing'])
  // The holidays listed with the alert are those of the chosen country.
  const report = async () => evaluated.alerts.report('u', (await site.list())[0]?.id ?? '')
  const holidays = async () => ((await report()).coincidences ?? []).filter(({ kind }) => kind === 'holiday').map(({ title }) => title)
  expect(await holidays()).toEqual([])
  await evaluated.alerts.holidayCountry.save('u', site, 'deu')
  expect(await holidays()).toEqual(expect.arrayContaining(['Public holiday in Germany']))
})

test("a country that isn't in the table is refused, and a stranger's property isn't found", async () => {
  const site = await quietEaster()
  await expect(evaluated.alerts.holidayCountry.save('u', site, 'xyz')).rejects.toThrow('Choose a country from the list.')
  await expect(evaluated.alerts.holidayCountry.save('somebody', site, 'deu')).rejects.toMatchObject({ status: 404 })
  expect(await evaluated.alerts.holidayCountry.read(site)).toMatchObject({ chosen: null })
})
