import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import type { TestApp } from './app.ts'
import type { DictatedRow } from './google-control.ts'
import { newPerson, select, shortenHistory, synced } from './people.ts'
import type { Visitor } from './visitor.ts'

/** Four weeks up to the last complete day, three days before the demo's current day. */
const weeks = ['2026-02-16', '2026-02-23', '2026-03-02', '2026-03-09'] as const
const lastDay = '2026-03-18'

/** Pages that Google might list because of a malicious user, or in other scripts. */
const oddPages = (site: string) => ({
  markup: `${site}<img src=x onerror=alert(1)>&"'?q=<b>`,
  script: 'javascript:alert(document.domain)',
  long: `${site}long/${'very-'.repeat(300)}long`,
  emoji: `${site}💡👩‍👩‍👧`,
  rightToLeft: `${site}מנורה/עץ`,
})

export const oddQuery = '<img src=x onerror=alert(2)> =1+1 💡 מנורה'

export type PageSite = {
  owner: Visitor
  site: string
  page: (path: string) => string
  odd: ReturnType<typeof oddPages>
}

/**
 * A user with a property where `fading` loses clicks every week, `steady` doesn't, four pages are at the thresholds of the performance
 * badge this week, and one query brings two pages.
 */
export async function pageSite(app: TestApp, name: string): Promise<PageSite> {
  const site = `https://${name}.example/`
  const page = (path: string) => `${site}${path}`
  const odd = oddPages(site)
  const fading = [40, 30, 20, 10]
  const steady: DictatedRow[] = [
    { query: 'oak lamp', page: page('steady'), clicks: 12, impressions: 100, position: 3 },
    { query: 'oak lamp', page: page('other?color=red#top'), clicks: 2, impressions: 50, position: 8 },
    { page: page('steady'), clicks: 4, impressions: 20, position: 5 },
  ]
  const bounds: DictatedRow[] = [
    { query: 'a', page: page('excellent'), clicks: 50, impressions: 1_000, position: 2 },
    // 4.9998 percent, displayed as 5.00%.
    { query: 'b', page: page('good'), clicks: 24_999, impressions: 500_000, position: 2 },
    { query: 'c', page: page('average'), clicks: 10, impressions: 1_000, position: 2 },
    { query: 'd', page: page('needs-work'), clicks: 9, impressions: 1_000, position: 2 },
    { query: 'e', page: page('unseen'), clicks: 0, impressions: 1, position: 90 },
  ]
  const ofOdd = Object.values(odd).map((each) => ({ query: oddQuery, page: each, clicks: 1, impressions: 10, position: 4 }))

  const email = `${name}@example.test`
  const owner = await newPerson(app, { email, sites: { [site]: 'empty' } })
  await app.google.call('PUT', 'late', { site, days: 3 })
  for (const [index, monday] of weeks.entries()) {
    const isLast = index === weeks.length - 1
    for (const date of eachDay(monday, isLast ? lastDay : addDays(monday, 6))) {
      await app.google.setRows(site, date, [
        ...steady,
        { query: 'old guide', page: page('fading'), clicks: fading[index] ?? 0, impressions: 400, position: 7 },
        ...(isLast ? ofOdd : []),
        ...(date === '2026-03-10' ? bounds : []),
      ])
    }
  }
  await shortenHistory(app, site, eachDay(weeks[0], lastDay).length)
  await select(owner, site)
  await synced(owner, site)
  return { owner, site, page, odd }
}
