import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays, dayNumber, eachDay } from '../../../core/analytics/days.ts'

// A day that Google didn't fully log says nothing about open alerts. In Discover, 24 June 2026 was one (core/analytics/anomalies.ts).

const oldest = '2025-10-01'
const lostFrom = '2026-06-15'
const unlogged = '2026-06-24'
let evaluated: EvaluatedSites
let count = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-07-12T20:00:00Z')))
afterAll(() => evaluated.close())

const anyPage: NewCondition = { type: 'clicks', kind: 'unusual', monitor: 'all_pages', title: 'Any page', searchType: 'discover' }
const drop: NewCondition = { type: 'clicks', monitor: 'pages', targets: ['/lamp'], threshold: 30, title: 'Drop', searchType: 'discover' }

/** The alert about `/lamp` on each evening from the one after its drop on; null before it is found, and afterwards if it isn't the first. */
async function evenings(rule: NewCondition, last: string) {
  const site = await evaluated.property(`https://unlogged-${++count}.example/`, { through: last, rules: [rule] })
  await site.store(
    oldest,
    last,
    (date) =>
      Array.from({ length: 20 }, (_, i) => {
        const usual = 400 + ((dayNumber(date) * 31 + i * 17) % 9)
        const left = (i === 0 && date >= lostFrom ? 0.2 : 1) * (date === unlogged ? 0.6 : 1)
        return { page: i === 0 ? '/lamp' : `/page-${i}`, clicks: Math.round(usual * left) }
      }),
    'discover',
  )
  await site.backfilled(oldest, oldest)
  const states: string[][] = []
  for (const day of eachDay(addDays(lostFrom, 4), last)) {
    await site.fetched('discover', oldest, day)
    await evaluated.alerts.evaluate('u', { ...site, completeThrough: day })
    states.push((await site.list()).map(({ state }) => state))
  }
  return states
}

async function expectOneOpenAlert(rule: NewCondition, last: string) {
  const states = await evenings(rule, last)
  expect(states.at(-1)).toEqual(['firing'])
  expect(states.flat().filter((state) => state !== 'firing')).toEqual([])
}

describe('in a week with such a day, one alert about a page stays open', () => {
  test('for a rule about any page', () => expectOneOpenAlert(anyPage, '2026-07-05'))

  test('for a rule with a threshold', { tags: ['full'] }, () => expectOneOpenAlert(drop, '2026-06-30'))
})
