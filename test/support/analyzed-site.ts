import { found } from './answers/found.ts'
import type { TestApp } from './app.ts'
import { newPerson, select, shortenHistory, synced } from './people.ts'
import type { Visitor } from './visitor.ts'

const day = '2026-03-12'
/** Days with hardly any impressions, so that the period has figures for each of its days. */
const quietDays = ['08', '09', '10', '11', '13', '14', '15', '16'].map((each) => `2026-03-${each}`)

/** A user with a property that was found by these keywords. */
export async function analyzedSite(app: TestApp, name: string, patienceMs = 60_000): Promise<{ person: Visitor; site: string }> {
  const site = `https://${name}.example/`
  const person = await newPerson(app, { email: `${name}@example.test`, sites: { [site]: 'empty' } })
  const rows = found.map(({ path, score: _score, ...figures }) => ({ page: `${site.slice(0, -1)}${path}`, ...figures }))
  await app.google.setRows(site, day, rows)
  for (const quiet of quietDays) {
    await app.google.setRows(site, quiet, [{ query: 'antique lamps', page: `${site}antique`, clicks: 0, impressions: 1, position: 25 }])
  }
  await shortenHistory(app, site, 10)
  await select(person, site)
  await synced(person, site, patienceMs)
  return { person, site }
}
