import type { TestApp } from './app.ts'
import { newPerson, select, shortenHistory, synced } from './people.ts'
import type { Visitor } from './visitor.ts'

const fillers = 115
const day = '2026-03-12'
/** Days on which next to nothing was shown, so that the period has figures for each of its days. */
const quietDays = ['08', '09', '10', '11', '13', '14', '15', '16'].map((each) => `2026-03-${each}`)

/** What a property was found by in the last seven complete days: each keyword brought one page, on one day. */
export const found = [
  { query: 'oak desk lamp', path: '/lamps?colour=oak', clicks: 60, impressions: 600, position: 3 },
  {
    query: 'reading lamp for a small desk',
    path: '/a-path-that-is-rather-longer-than-thirty-characters',
    clicks: 45,
    impressions: 1_500,
    position: 10,
  },
  { query: 'floor lamp', path: '/average', clicks: 30, impressions: 2_000, position: 12 },
  { query: 'bed lamp', path: '/needs-work', clicks: 5, impressions: 1_000, position: 18 },
  { query: 'wall lamp', path: '/wall', clicks: 4, impressions: 170, position: 9 },
  ...Array.from({ length: fillers }, (_, index) => ({
    query: `lamp ${index}`,
    path: `/lamps/${index}`,
    clicks: 1,
    impressions: 50,
    position: 14,
  })),
  { query: 'antique lamps', path: '/antique', clicks: 0, impressions: 80, position: 25 },
] as const

/** Somebody with a property that was found by these keywords. */
export async function analysedSite(app: TestApp, name: string, patienceMs = 60_000): Promise<{ person: Visitor; site: string }> {
  const site = `https://${name}.example/`
  const person = await newPerson(app, { email: `${name}@example.test`, sites: { [site]: 'empty' } })
  const rows = found.map(({ path, ...figures }) => ({ page: `${site.slice(0, -1)}${path}`, ...figures }))
  await app.google.setRows(site, day, rows)
  for (const quiet of quietDays) {
    await app.google.setRows(site, quiet, [{ query: 'antique lamps', page: `${site}antique`, clicks: 0, impressions: 1, position: 25 }])
  }
  await shortenHistory(app, site, 10)
  await select(person, site)
  await synced(person, site, patienceMs)
  return { person, site }
}
