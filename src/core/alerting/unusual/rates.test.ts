import { describe, expect, test } from 'vitest'
import { defaultOf } from '../defaults.ts'
import { ruleOf } from '../options.ts'
import { addDays } from '../../analytics/days.ts'
import type { Rule } from '../rule.ts'
import type { LastingUnusual } from './verdict.ts'
import { evaluateRates, evaluateShared, type RateHistory, ratesOf } from './rates.ts'

const rule = ruleOf('ctr', defaultOf('ctr', 'unusual'))
const length = 260
const queries = 20
const through = '2025-09-17'
const among = Array.from({ length: queries }, (_, query) => query)
const pause = async () => undefined

/** Queries at steady positions whose CTR varies by a few percent from day to day; `part` of a query's clicks is left on a day. */
const history = (part: (query: number, day: number) => number): RateHistory => ({
  names: among.map((query) => `query ${query}`),
  known: Array.from({ length }, () => true),
  days: among.map((query) => {
    const impressions = Array.from({ length }, (_, day) => Math.round((2_400 / (query + 1)) * (day % 7 >= 5 ? 0.7 : 1)))
    const ctr = (day: number) => 0.1 * (1 + (((day * 7_919 + query * 104_729) % 13) - 6) / 120)
    return {
      impressions,
      clicks: impressions.map((shown, day) => Math.round(shown * ctr(day) * part(query, day))),
      logPositions: impressions.map(() => Math.log(3)),
    }
  }),
})
const found = async (of: RateHistory, by: Rule = rule) => {
  const rates = ratesOf(of)
  const at = { among, end: length - 1, through }
  const shared = await evaluateShared(by, 'https://lamps.example/', rates, at, null, pause)
  const each = await evaluateRates(by, of, rates, at, new Map(), pause)
  return [...(shared ? [shared] : []), ...each].flatMap(({ finding }) => finding ?? [])
}
const lately = (day: number) => day >= length - 10

describe('an open alert about a CTR', () => {
  const windows = (start: string, end: string) => ({ current: { start, end }, base: { start, end }, scale: 1 })
  const alertSince = (start: string): LastingUnusual => ({
    direction: 'fall',
    severity: 'warning',
    opening: { previous: 0.1, current: 0.02, windows: windows(start, start) },
  })
  /** About all queries together, and about the first one. */
  const verdicts = async (of: (days: RateHistory) => RateHistory, since = addDays(through, -20)) => {
    const changed = of(history(() => 1))
    const rates = ratesOf(changed)
    const at = { among, end: length - 1, through }
    const shared = await evaluateShared(rule, 'site', rates, at, alertSince(since), pause)
    return [
      ...(shared ? [shared] : []),
      ...(await evaluateRates(rule, changed, rates, at, new Map([['query 0', alertSince(since)]]), pause)),
    ]
  }
  /** With only a few impressions a day in the last two weeks, none of which was clicked. */
  const quiet = (shown: number) => (of: RateHistory) => ({
    ...of,
    days: of.days.map((days) => ({
      ...days,
      impressions: Array.from(days.impressions, (count, day) => (day >= length - 14 ? shown : count)),
      clicks: Array.from(days.clicks, (count, day) => (day >= length - 14 ? 0 : count)),
    })),
  })

  test('stays as it is with hardly any impressions, or none', async () => {
    expect(await verdicts(quiet(3))).toEqual([])
    expect(await verdicts(quiet(0))).toEqual([])
  })

  test('stays as it is while a day is unknown, if a week has too few clicks to tell', async () => {
    const ofTwelve = { impressions: Array.from({ length }, () => 12), clicks: Array.from({ length }, (_, day) => (day % 5 === 0 ? 6 : 0)) }
    const rare = (of: RateHistory): RateHistory => ({
      ...of,
      known: of.known.map((_, day) => day !== length - 11),
      days: of.days.map((days) => ({ ...days, ...ofTwelve })),
    })
    expect(await verdicts(rare)).toEqual([])
    expect((await verdicts((of) => ({ ...rare(of), known: of.known }))).length).toBeGreaterThan(0)
  })

  test('ends after eight weeks of that, with the CTR that there is', async () => {
    const long = addDays(through, -60)
    const levels = async (shown: number) => (await verdicts(quiet(shown), long)).map(({ lately: how }) => [how?.isBack, how?.level.value])
    expect(await levels(3)).toEqual([
      [false, 0],
      [false, 0],
    ])
    expect(await levels(0)).toEqual([
      [false, null],
      [false, null],
    ])
  })

  test('ends if it is tested and no longer found', async () => {
    expect(await verdicts((of) => of)).toMatchObject([{ finding: null }, { finding: null }])
  })
})

describe('the CTR of the top queries', () => {
  test('is one finding, about the site, if all of them lose a fifth', async () => {
    const all = await found(history((_, day) => (lately(day) ? 0.8 : 1)))
    expect(all).toMatchObject([{ entity: { kind: 'site', name: 'https://lamps.example/' }, metric: 'ctr', severity: 'warning' }])
    expect(all[0]?.change).toBeLessThan(-17)
    expect(all[0]?.change).toBeGreaterThan(-23)
    expect(all[0]?.current).toBeGreaterThan(0.07)
  })

  test('is a finding about one query if that one loses two fifths, even if it has a quarter of all clicks', async () => {
    for (const of of [0, 1])
      expect((await found(history((query, day) => (query === of && lately(day) ? 0.6 : 1)))).map(({ entity }) => entity)).toEqual([
        { kind: 'query', name: `query ${of}` },
      ])
  })

  test('is no finding if nothing happens, or if it changes by a twentieth', async () => {
    expect(await found(history(() => 1))).toEqual([])
    expect(await found(history((_, day) => (lately(day) ? 0.95 : 1)))).toEqual([])
  })

  test('is about the site if five queries lose two fifths, but not if four do', async () => {
    const fallen = history((_, day) => (lately(day) ? 0.6 : 1))
    const rates = ratesOf(fallen)
    const sharedOf = (count: number) =>
      evaluateShared(rule, 'https://lamps.example/', rates, { among: among.slice(0, count), end: length - 1, through }, null, pause)
    expect((await sharedOf(5))?.finding).toMatchObject({ entity: { kind: 'site' } })
    expect((await sharedOf(4))?.finding ?? null).toBeNull()
  })

  test('is about the site only if the rule watches the top queries, and in its direction', async () => {
    const fallen = history((_, day) => (lately(day) ? 0.8 : 1))
    expect(await found(fallen, { ...rule, monitor: 'queries', targets: ['query 1'] })).toEqual([])
    expect(await found(fallen, { ...rule, segment: '1' })).toEqual([])
    expect(await found(fallen, { ...rule, direction: 'rises' })).toEqual([])
    expect(
      await found(
        history((_, day) => (lately(day) ? 1.25 : 1)),
        { ...rule, direction: 'both' },
      ),
    ).toMatchObject([{ entity: { kind: 'site' }, severity: 'positive' }])
  })
})
