import { eachDay } from '../../src/core/analytics/days.ts'
import type { TestApp } from './app.ts'
import type { DictatedRow } from './google-control.ts'
import { newPerson, select, shortenHistory, synced } from './people.ts'
import type { Visitor } from './visitor.ts'

/** Two weeks up to the last complete day, three days before the demo's current day. */
const weeks = { before: { start: '2026-03-02', end: '2026-03-08' }, now: { start: '2026-03-09', end: '2026-03-18' } }

/** Queries that a malicious user might type, or in other scripts. */
export const oddQueries = {
  markup: '<img src=x onerror=alert(1)> & "lamp"',
  formula: '=HYPERLINK("https://evil.example","click")',
  emoji: 'lamp 💡👩‍👩‍👧 cosy',
  rightToLeft: 'מנורת קריאה <b>עץ</b>',
  long: `lamp ${'very '.repeat(79)}`.slice(0, 400),
} as const

/**
 * A user with a property whose keywords are all known: `old lamp` is gone this week, the odd ones are new, `oak lamp` has three pages that
 * compete for it, and `acme` is the brand.
 */
export async function keywordSite(app: TestApp, name: string): Promise<{ owner: Visitor; site: string; page: (path: string) => string }> {
  const site = `https://${name}.example/`
  const page = (path: string) => `${site}${path}`
  const always: DictatedRow[] = [
    { query: 'oak lamp', page: page('oak'), clicks: 6, impressions: 60, position: 6 },
    { query: 'oak lamp', page: page('lamps?wood=oak'), clicks: 2, impressions: 30, position: 9 },
    { query: 'oak lamp', page: page('guide'), clicks: 0, impressions: 20, position: 12 },
    { query: `${name} lamps`, page: site, clicks: 8, impressions: 10, position: 1 },
    { page: page('oak'), clicks: 2, impressions: 20, position: 8 },
  ]
  const old = { query: 'old lamp', page: page('old'), clicks: 3, impressions: 30, position: 8 }
  const odd = Object.values(oddQueries).map((query, index) => ({
    query,
    page: page('odd'),
    clicks: 1,
    impressions: 40 + index,
    position: 10,
  }))

  const email = `${name}@example.test`
  const owner = await newPerson(app, { email, sites: { [site]: 'empty' } })
  await app.google.call('PUT', 'late', { site, days: 3 })
  for (const date of eachDay(weeks.before.start, weeks.before.end)) await app.google.setRows(site, date, [...always, old])
  for (const date of eachDay(weeks.now.start, weeks.now.end)) await app.google.setRows(site, date, [...always, ...odd])
  await shortenHistory(app, site, eachDay(weeks.before.start, weeks.now.end).length)
  await select(owner, site)
  await synced(owner, site)
  return { owner, site, page }
}
