import type { NewCondition } from '../../src/contract/alerts/conditions.ts'
import { alertCondition, alertConditions } from '../../src/contract/alerts/conditions.ts'
import { alertReport, alerts, type Alert, evaluateAnswer } from '../../src/contract/alerts/alerts.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import type { TestApp } from './app.ts'
import { pagesAlone } from './falling-site.ts'
import { newPerson } from './people.ts'
import { watchedAtOnce } from './stored-history.ts'
import type { Visitor } from './visitor.ts'

/** The app's current day, and its last complete day. */
export const today = '2026-03-18'
export const through = '2026-03-15'
/** Days of data; the rules need some weeks to know what is usual. */
const usualHistory = 70

/** A user with a property of two pages, and requests and actions for its alerts. */
export type TwoPages = {
  owner: Visitor
  site: string
  page: string
  /** A page with a name that must stay text. */
  odd: string
  /** Sets Google's clicks for both pages on each of some days; the second one may have gone. */
  dictate(from: string, to: string, clicks: number, oddClicks?: number | 'gone'): Promise<unknown>
  list(query?: string): Promise<Alert[]>
  report(id: string): Promise<ReturnType<typeof alertReport.parse>>
  /** Evaluates its rules now; returns the number of new alerts. */
  evaluate(): Promise<number>
  conditions(): Promise<ReturnType<typeof alertConditions.parse>>
  create(rule: NewCondition): Promise<ReturnType<typeof alertCondition.parse>>
  /** As if Google had completed exactly the days through this one. */
  completeThrough(day: string): Promise<void>
}

let people = 0
let asked = 0

/**
 * A new user with weeks of 100 and 40 clicks a day; in the last complete week the first page has the given number. It is today, and no rule
 * has been evaluated.
 */
export async function twoPages(app: TestApp, lastWeek = 100, history = usualHistory): Promise<TwoPages> {
  const { sql } = await app.stores()
  await app.google.setToday(today)
  const name = `owner${++people}`
  const site = `https://${name}.example/`
  const [page, odd] = [`${site}lamps`, `${site}<img src=x onerror=alert(1)>&"'`]
  const owner = await newPerson(app, { email: `${name}@example.test`, sites: { [site]: 'empty' } })
  await app.google.call('PUT', 'late', { site, days: 3 })
  const dictate: TwoPages['dictate'] = (from, to, clicks, oddClicks = 40) =>
    app.google.setDays(site, { from, to }, [
      { query: 'lamp', page, clicks, impressions: clicks * 10, position: 4 },
      ...(oddClicks === 'gone' ? [] : [{ query: '<b>odd</b>', page: odd, clicks: oddClicks, impressions: oddClicks * 10, position: 6 }]),
    ])
  await dictate(addDays(today, -history), addDays(through, -7), 100)
  await dictate(addDays(through, -6), today, lastWeek)
  await watchedAtOnce(app, site, { days: history + 1 })
  await pagesAlone(owner)
  return {
    owner,
    site,
    page,
    odd,
    dictate,
    list: async (query = '') => alerts.parse((await owner.get(`/api/alerts${query}`)).body),
    report: async (id) => alertReport.parse((await owner.get(`/api/alerts/${id}`)).body),
    async evaluate() {
      // From a different address each time: a test sends more requests than allowed from one.
      const headers = { 'x-forwarded-for': `10.0.${(asked += 1) >> 8}.${asked & 255}` }
      return evaluateAnswer.parse((await owner.send('POST', '/api/alerts/evaluate', undefined, { headers })).body).count
    },
    conditions: async () => alertConditions.parse((await owner.get('/api/alert-conditions')).body),
    create: async (rule) => alertCondition.parse((await owner.send('POST', '/api/alert-conditions', rule)).body),
    completeThrough: async (day) =>
      void (await sql('UPDATE property_syncs SET complete_through = $1 FROM properties WHERE properties.id = property_id AND name = $2', [
        day,
        site,
      ])),
  }
}
