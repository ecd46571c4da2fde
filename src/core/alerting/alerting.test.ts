import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SearchType } from '../../contract/common.ts'
import { addDays, eachDay } from '../analytics/days.ts'
import { type EntityFigures, type Finding, evaluate } from './evaluate.ts'
import { noSums, type Sums } from './figures.ts'
import { type OpenAlert, transitions, type Verdict } from './lifecycle.ts'
import { isAftermath, muteUnderSite } from './muting.ts'
import type { Comparison, Rule } from './rule.ts'
import { findingsOf, evaluateRules } from './run.ts'
import { severityOf } from './severity.ts'
import { type Past, usualOf } from './unusual/unusual.ts'
import { weeksBefore, windowsOf, yearBefore } from './windows.ts'

const through = '2026-03-16'
const rule = (changes: Partial<Rule> = {}): Rule => ({
  id: 'r1',
  kind: 'change',
  metric: 'clicks',
  direction: 'falls',
  onlyUnusual: true,
  monitor: 'site',
  targets: [],
  searchType: 'web',
  segment: null,
  threshold: 15,
  comparison: 'previous_7_days',
  minimumImpressions: 0,
  sensitivity: 'normal',
  ...changes,
})
const sums = (clicks: number, impressions: number, position = 5): Sums => ({
  clicks,
  impressions,
  positionSum: position * impressions,
  rankedImpressions: impressions,
})
const windows = windowsOf('previous_7_days', through)
const past = (...weeks: readonly Sums[]): Past => ({ weeks, yearAgo: [] })
const quietWeeks = Array.from({ length: 8 }, () => sums(10_000, 100_000))
const figures = (changes: Partial<EntityFigures> = {}): EntityFigures => ({
  entity: { kind: 'site', name: 'example' },
  current: sums(10_000, 100_000),
  base: sums(10_000, 100_000),
  past: past(...quietWeeks),
  firstSeen: '2025-01-01',
  ...changes,
})

describe('windows', () => {
  test('the last 7 complete days compared with the previous 7', () => {
    expect(windowsOf('previous_7_days', through)).toEqual({
      current: { start: '2026-03-10', end: '2026-03-16' },
      base: { start: '2026-03-03', end: '2026-03-09' },
      scale: 1,
    })
  })

  test('compared with the previous 30, scaled to 7', () => {
    expect(windowsOf('previous_30_days', through)).toMatchObject({ base: { start: '2026-02-08', end: '2026-03-09' }, scale: 7 / 30 })
  })

  test('compared with the same period last year, shifted 364 days, so that weekdays match', () => {
    const { current, base } = windowsOf('same_period_last_year', through)
    expect(base).toEqual({ start: '2025-03-11', end: '2025-03-17' })
    expect(new Date(base.start).getUTCDay()).toBe(new Date(current.start).getUTCDay())
  })
})

describe('a change', () => {
  test.each([
    [8500, 'warning', -15],
    [8600, null, null],
    [7000, 'warning', -30],
    [6900, 'critical', -31],
    [0, 'critical', -100],
  ])('from 10,000 to %i clicks with a threshold of 15%%: %s', (clicks, severity, change) => {
    const finding = evaluate(rule(), figures({ current: sums(clicks, 100_000) }), windows)
    expect(finding?.severity ?? null).toBe(severity)
    expect(finding?.change ?? null).toBe(change)
  })

  test('a drop below 15% is informational', () => {
    expect(evaluate(rule({ threshold: 5, onlyUnusual: false }), figures({ current: sums(9000, 100_000) }), windows)?.severity).toBe('info')
  })

  test("is detected in the rule's direction: drops, rises or both", () => {
    const doubled = figures({ current: sums(20_000, 100_000) })
    const halved = figures({ current: sums(5000, 100_000) })
    const found = (direction: Rule['direction']) =>
      [doubled, halved].map((each) => evaluate(rule({ direction, threshold: 50 }), each, windows)?.severity ?? null)
    expect(found('rises')).toEqual(['positive', null])
    expect(found('falls')).toEqual([null, 'critical'])
    expect(found('both')).toEqual(['positive', 'critical'])
  })

  test("isn't one if counts of that size occur by chance, with the switch or without", () => {
    for (const onlyUnusual of [true, false]) {
      const found = (before: number, now: number) =>
        evaluate(rule({ onlyUnusual }), figures({ base: sums(before, 1000), current: sums(now, 1000), past: past() }), windows)
      expect([found(3, 0), found(20, 10), found(100, 80)]).toEqual([null, null, null])
      expect([found(20, 0), found(100, 60)]).not.toContain(null)
    }
    const ctr = (now: number) =>
      evaluate(rule({ metric: 'ctr', threshold: 10 }), figures({ base: sums(50, 1000), current: sums(now, 1000), past: past() }), windows)
    expect([ctr(40), ctr(20)?.severity]).toEqual([null, 'critical'])
  })

  test('in CTR is that of clicks per impression', () => {
    const fell = { base: sums(100, 1000), current: sums(100, 2000), past: past() }
    expect(evaluate(rule({ metric: 'ctr', threshold: 10 }), figures(fell), windows)).toMatchObject({
      previous: 0.1,
      current: 0.05,
      change: -50,
    })
  })

  test('needs its minimum of impressions on the larger side: before for a drop, now for a rise', () => {
    const shown = (from: number, to: number, direction: Rule['direction']) =>
      evaluate(
        rule({ metric: 'impressions', direction, threshold: 50, minimumImpressions: 100 }),
        figures({ base: sums(1, from), current: sums(1, to), past: past() }),
        windows,
      )
    // A large drop isn't silenced just because so few impressions are left.
    expect(shown(7000, 42, 'falls')).toMatchObject({ severity: 'critical' })
    expect(shown(99, 10, 'falls')).toBeNull()
    expect(shown(20, 400, 'rises')).not.toBeNull()
    expect(shown(20, 99, 'rises')).toBeNull()
    expect([shown(7000, 42, 'both'), shown(20, 400, 'both')]).not.toContain(null)
  })

  test('in positions counts places, and more places are worse', () => {
    const position = rule({ metric: 'position', threshold: 3, minimumImpressions: 50 })
    const from5 = (to: number) => evaluate(position, figures({ base: sums(1, 100, 5), current: sums(1, 100, to), past: past() }), windows)
    expect(from5(7.9)).toBeNull()
    expect(from5(8)).toMatchObject({ change: 3, severity: 'warning' })
    expect(from5(11)).toMatchObject({ change: 6, severity: 'critical' })
    expect(from5(1)).toBeNull()
  })

  describe('from zero is not a percentage, but a rise beyond any threshold', () => {
    const from0 = (current: Sums, changes: Partial<Rule> = {}) =>
      evaluate(rule({ direction: 'rises', threshold: 100, ...changes }), figures({ base: noSums, current, past: past() }), windows)

    test('if it is more than chance and has the minimum of impressions', () => {
      const risen = { previous: 0, current: 4_000, change: null, severity: 'positive' }
      expect(from0(sums(4_000, 50_000))).toMatchObject(risen)
      expect(from0(sums(4_000, 50_000), { direction: 'both' })).toMatchObject(risen)
      expect(from0(sums(4_000, 50_000), { direction: 'falls' })).toBeNull()
      expect([from0(sums(3, 90)), from0(noSums)]).toEqual([null, null])
      const shown = { metric: 'impressions', minimumImpressions: 50 } as const
      expect([from0(sums(0, 49), shown), from0(sums(0, 50), shown)]).toMatchObject([null, { previous: 0, current: 50, change: null }])
    })

    test('so a page is found in its first week', () => {
      const isNew = (firstSeen: string) =>
        evaluate(
          rule({ metric: 'impressions', direction: 'rises', monitor: 'new_content', threshold: 50, minimumImpressions: 50 }),
          figures({ base: noSums, current: sums(900, 50_000), past: past(), firstSeen }),
          windows,
        )
      expect(isNew('2026-03-11')).toMatchObject({ previous: 0, current: 50_000 })
      expect(isNew('2025-01-01')).toBeNull()
    })

    test('in CTR too', () => {
      const ctr = (clicked: number) =>
        evaluate(
          rule({ metric: 'ctr', direction: 'rises' }),
          figures({ base: sums(0, 1000), current: sums(clicked, 1000), past: past() }),
          windows,
        )
      expect([ctr(1), ctr(50)]).toMatchObject([null, { previous: 0, current: 0.05, change: null }])
    })

    test('it belongs to the other rises, and ends as they do', () => {
      const rose: Finding = { ...found(windows), severity: 'positive', previous: 0, current: 4_000, change: null }
      const page: Finding = { ...rose, entity: { kind: 'page', name: '/p' } }
      const fell = { ...page, entity: { kind: 'page', name: '/q' } as const, previous: 10, current: 2, change: -80 }
      expect(muteUnderSite([{ ...rose, previous: 100, change: 3_900 }, page, fell]).map(({ contributors }) => contributors)).toEqual([
        [page],
        [],
      ])
      const ended = (current: number) =>
        transitions([alertOf(rose, through)], [{ ruleId: 'r1', entity: site, finding: null, current }], addDays(through, 7))
      expect([...ended(100), ...ended(3_900)]).toMatchObject([{ reason: 'back' }, { reason: 'new_level', level: 3_900 }])
    })
  })

  test('compared with 30 days uses their weekly share', () => {
    const month = windowsOf('previous_30_days', through)
    expect(evaluate(rule(), figures({ base: sums(43_000, 430_000) }), month)).toBeNull()
    const weeks = past(...quietWeeks.map(() => sums(14_000, 140_000)))
    expect(evaluate(rule(), figures({ base: sums(60_000, 600_000), past: weeks }), month)).toMatchObject({ previous: 14_000 })
  })
})

describe('only when unusual', () => {
  const clicks = (...weeks: number[]): Past => past(...weeks.map((each) => sums(each, 10 * each)))
  const fell = (previous: Past, to: number, changes: Partial<Rule> = {}) =>
    evaluate(rule(changes), figures({ base: previous.weeks[0] ?? noSums, current: sums(to, 1000), past: previous }), windows)

  test('a page of the sample shop that loses two thirds of its clicks alerts', () => {
    expect(fell(clicks(169, 148, 113, 160, 133, 127, 118), 50)).toMatchObject({ severity: 'critical', previous: 169 })
  })

  test('a change that happens to the entity every other week is silent, unless the switch is off', () => {
    const restless = clicks(1300, 800, 1250, 750, 1200, 700, 1300, 820)
    expect(fell(restless, 750)).toBeNull()
    expect(fell(restless, 750, { onlyUnusual: false })).not.toBeNull()
    expect(fell(restless, 100)).not.toBeNull()
  })

  test('back to the usual level is silent: neither a drop after a spike nor a spike after an outage', () => {
    const after = (last: number) => clicks(last, 1000, 1010, 990, 1000, 1020, 980, 1000)
    expect(fell(after(6000), 990)).toBeNull()
    expect(fell(after(6000), 600)).not.toBeNull()
    expect(fell(after(400), 1000, { direction: 'rises' })).toBeNull()
  })

  test('one earlier incident does not hide the next', () => {
    expect(fell(clicks(1000, 1020, 400, 1010, 990, 1000, 1030, 1000), 600)).not.toBeNull()
  })

  test("a drop that recurs every year is silent the next time, and a deeper one isn't", () => {
    const weeks = [1000, 1010, 990, 1000, 1020, 980, 1000, 1000].map((each) => sums(each, 10_000))
    const yearAgo = [600, 900, 910, 890, 900].map((each) => sums(each, 9000))
    const found = (to: number, known: Past) =>
      evaluate(rule(), figures({ base: sums(1000, 10_000), current: sums(to, 10_000), past: known }), windows)
    expect(found(680, { weeks, yearAgo })).toBeNull()
    expect(found(680, { weeks, yearAgo: [] })).not.toBeNull()
    expect(found(350, { weeks, yearAgo })).not.toBeNull()
  })

  test("an outage is no season: last year's week without clicks doesn't hide this year's drop, unless they stayed away", () => {
    const weeks = [1000, 1010, 990, 1000, 1020, 980, 1000, 1000].map((each) => sums(each, 10_000))
    const found = (then: number, after?: number) => {
      const yearAgo = [then, 900, 910, 890, 900, ...(after === undefined ? [] : [after])].map((each) => sums(each, 9000))
      return evaluate(rule(), figures({ base: sums(1000, 10_000), current: sums(400, 10_000), past: { weeks, yearAgo } }), windows)
    }
    // Five of its days or all of them, and clicks again three weeks later.
    for (const then of [0, 257]) expect(found(then, 900)).toMatchObject({ change: -60 })
    expect(found(0, 40)).toBeNull()
    expect(found(0)).toBeNull()
    expect(yearBefore(windows.current).at(-1)).toEqual({ start: '2025-04-01', end: '2025-04-07' })
    // Around the end of the year, many sites are closed.
    expect(yearBefore(windowsOf('previous_7_days', '2026-12-28').current)).toHaveLength(5)
  })

  test('a CTR that fell because the position did is about the position', () => {
    const weeks = Array.from({ length: 10 }, (_, i) => sums(300 + (i % 3), 3000, 3))
    const ctr = (clicked: number, position: number) =>
      evaluate(
        rule({ metric: 'ctr', threshold: 10 }),
        figures({ base: sums(300, 3000, 3), current: sums(clicked, 3000, position), past: past(...weeks) }),
        windows,
      )
    expect(ctr(110, 8)).toBeNull()
    expect(ctr(110, 3)).not.toBeNull()
  })

  test('the stored range decides', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 4, maxLength: 12 }),
        fc.integer({ min: 0, max: 3000 }),
        (weeks, to) => {
          const known = clicks(...weeks)
          const { expected, low, high } = usualOf('clicks', known, noSums)!
          expect(low).toBeLessThanOrEqual(expected)
          expect(high).toBeGreaterThanOrEqual(expected)
          expect(fell(known, to) !== null && to >= low).toBe(false)
          expect(fell(known, to, { direction: 'rises' }) !== null && to <= high).toBe(false)
        },
      ),
    )
  })

  test('too little history to know what is usual silences nothing', () => {
    expect(fell(clicks(1000, 1010, 990), 800)).not.toBeNull()
  })
})

describe('what appears and what vanishes', () => {
  const newQuery = rule({ kind: 'new_query', threshold: 20, minimumImpressions: 10, monitor: 'top_queries' })
  const query = { entity: { kind: 'query', name: 'lamp' } as const, base: noSums, past: past() }

  test('a query first seen in the current window, at a top position', () => {
    expect(evaluate(newQuery, figures({ ...query, firstSeen: '2026-03-12' }), windows)).toMatchObject({
      severity: 'positive',
      previous: null,
    })
    expect(evaluate(newQuery, figures({ ...query, firstSeen: '2026-03-09' }), windows)).toBeNull()
    expect(evaluate(newQuery, figures({ ...query, firstSeen: '2026-03-12', current: sums(1, 100, 21) }), windows)).toBeNull()
    expect(evaluate(newQuery, figures({ ...query, firstSeen: '2026-03-12', current: sums(1, 9) }), windows)).toBeNull()
  })

  test('a ranking that was at the top and no longer appears, or only further down', () => {
    const lost = rule({ kind: 'lost_query', threshold: 10, minimumImpressions: 50 })
    const before = { base: sums(9, 100, 4), past: past() }
    const gone = evaluate(lost, figures({ ...before, current: noSums }), windows)
    expect(gone).toMatchObject({ severity: 'critical', current: null, interrupts: false })
    // Nobody is woken for nine clicks, but somebody is for sixty.
    expect(evaluate(lost, figures({ base: sums(60, 700, 4), past: past(), current: noSums }), windows)).toMatchObject({ interrupts: true })
    expect(evaluate(lost, figures({ ...before, current: sums(0, 20, 14) }), windows)).toMatchObject({ severity: 'warning', current: 14 })
    // Beyond twice its limit it is as good as gone.
    expect(evaluate(lost, figures({ ...before, current: sums(0, 20, 20.1) }), windows)).toMatchObject({ severity: 'critical' })
    expect(evaluate(lost, figures({ ...before, current: sums(5, 100, 9) }), windows)).toBeNull()
    expect(evaluate(lost, figures({ base: sums(0, 100, 11), current: noSums, past: past() }), windows)).toBeNull()
  })

  test('new content was first seen within 30 days', () => {
    const fresh = rule({ metric: 'impressions', direction: 'rises', threshold: 50, monitor: 'new_content', minimumImpressions: 50 })
    const grown = { current: sums(1, 400), base: sums(1, 200), past: past() }
    expect(evaluate(fresh, figures({ ...grown, firstSeen: addDays(through, -29) }), windows)).not.toBeNull()
    expect(evaluate(fresh, figures({ ...grown, firstSeen: addDays(through, -30) }), windows)).toBeNull()
  })
})

test('severity by the specification: over 30% critical, 15% to 30% warning', () => {
  expect([-30.1, -30, -15, -14.9, 1].map((change) => severityOf('clicks', change, 10))).toEqual([
    'critical',
    'warning',
    'warning',
    'info',
    'positive',
  ])
})

const count = fc.integer({ min: 0, max: 5_000 })
const anySums: fc.Arbitrary<Sums> = fc
  .record({ impressions: count, share: fc.double({ min: 0, max: 1, noNaN: true }), position: fc.double({ min: 1, max: 80, noNaN: true }) })
  .map(({ impressions, share, position }) => sums(Math.floor(impressions * share), impressions, position))
const anyFigures = fc
  .record({
    current: anySums,
    base: anySums,
    past: fc.record({
      weeks: fc.array(anySums, { maxLength: 8 }),
      yearAgo: fc.oneof(fc.constant([]), fc.array(anySums, { minLength: 5, maxLength: 5 })),
    }),
    firstSeen: fc.constantFrom(null, '2026-03-12', '2025-01-01'),
  })
  .map((each) => figures(each))
const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    kind: fc.constantFrom('change', 'new_query', 'lost_query', 'new_page'),
    metric: fc.constantFrom('clicks', 'impressions', 'ctr', 'position'),
    direction: fc.constantFrom('falls', 'rises', 'both'),
    threshold: fc.integer({ min: 1, max: 100 }),
    onlyUnusual: fc.boolean(),
    minimumImpressions: fc.constantFrom(0, 50, 100),
  })
  .map((each) => rule(each as Partial<Rule>))
const allDays = new Set(eachDay('2024-12-01', through))

describe('invariants', () => {
  test('evaluating twice adds nothing', () => {
    fc.assert(
      fc.property(anyRule, anyFigures, (each, data) => {
        const verdict = verdictOf(each, data)
        const opened = openFrom(transitions([], [verdict], through))
        expect(transitions(opened, [verdict], through)).toEqual([])
      }),
    )
  })

  test('recovery follows firing, in a later window, and nothing recovers twice', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (story) => {
        let open: OpenAlert[] = []
        let firing = false
        for (const [day, isFound] of story.entries()) {
          const at = addDays(through, day)
          const finding = isFound ? found(windowsOf('previous_7_days', at)) : null
          for (const step of transitions(open, [{ ruleId: 'r1', entity: site, finding, current: 90 }], at)) {
            expect(step.to === 'firing').toBe(!firing)
            firing = step.to !== 'recovered'
            open = step.to === 'recovered' ? [] : [alertOf(step.finding, at)]
          }
          expect(firing).toBe(isFound)
        }
      }),
    )
  })

  test('a finding never relies on incomplete days: one missing day in either window, and the rule waits', () => {
    const comparisons = fc.constantFrom<Comparison>('previous_7_days', 'previous_30_days', 'same_period_last_year')
    fc.assert(
      fc.property(anyRule, anyFigures, comparisons, fc.nat(), (each, data, comparison, pick) => {
        const about = windowsOf(comparison, through)
        const days = [...eachDay(about.current.start, about.current.end), ...eachDay(about.base.start, about.base.end)]
        const complete = new Set(allDays)
        complete.delete(days[pick % days.length]!)
        expect(evaluateRules([{ rule: each, windows: about, entities: [data] }], complete)).toEqual([{ ruleId: 'r1', waiting: true }])
      }),
    )
  })

  test('without verdicts no alert changes: a missing day is never a zero', () => {
    fc.assert(
      fc.property(anyFigures, (data) => {
        const open = openFrom(transitions([], [verdictOf(rule(), data)], through))
        expect(transitions(open, [], addDays(through, 1))).toEqual([])
      }),
    )
  })

  test('the larger the counts, the less a given change is due to chance: if few show it, many do too', () => {
    const relative = anyRule.filter(({ kind }) => kind === 'change').map((each) => ({ ...each, minimumImpressions: 0, onlyUnusual: false }))
    fc.assert(
      fc.property(relative, anyFigures, fc.integer({ min: 2, max: 1_000 }), (each, data, factor) => {
        const [before, after] = [evaluate(each, data, windows), evaluate(each, scaled(data, factor), windows)]
        // A change on the very edge of the threshold may fall to either side by rounding.
        fc.pre(before !== null && Math.abs(Math.abs(before.change ?? 0) - each.threshold) > 1e-9)
        expect(after?.severity).toBe(before?.severity)
        expect(after?.change ?? 0).toBeCloseTo(before?.change ?? 0, 6)
      }),
    )
  })

  test("the order of rules doesn't matter", () => {
    const rules = fc.uniqueArray(
      fc.tuple(anyRule, fc.uuid()).map(([each, id]) => ({ ...each, id })),
      { selector: ({ id }) => id, maxLength: 8 },
    )
    fc.assert(
      fc.property(rules, anyFigures, (all, data) => {
        const run = (list: readonly Rule[]) =>
          findingsOf(
            evaluateRules(
              list.map((each) => ({ rule: each, windows, entities: [data] })),
              allDays,
            ),
          )
        const sorted = (list: readonly Finding[]) => list.toSorted((a, b) => a.ruleId.localeCompare(b.ruleId))
        expect(sorted(run(all.toReversed()))).toEqual(sorted(run(all)))
      }),
    )
  })

  test("the site's alert includes what moves the same way in the same metric, and nothing else", () => {
    const fell = found(windows)
    const page = (change: number, metric: Finding['metric'] = 'clicks'): Finding => ({
      ...fell,
      entity: { kind: 'page', name: `${metric} ${change}` },
      metric,
      change,
    })
    const [small, great, rose, further] = [page(-20), page(-80), page(60), page(4, 'position')]
    expect(muteUnderSite([small, fell, rose, great, further])).toEqual([
      { finding: fell, contributors: [great, small] },
      { finding: rose, contributors: [] },
      { finding: further, contributors: [] },
    ])
  })

  test('the aftermath of a site-wide change is recognized by its days, direction and size', () => {
    const { start, end } = windows.current
    const page: Finding = { ...found(windows), entity: { kind: 'page', name: '/a' }, change: -30 }
    const passed = {
      metric: 'clicks',
      change: -55,
      start: addDays(start, -2),
      since: start,
      end: start,
      isBack: false,
      covered: new Set<string>(),
    } as const
    expect(isAftermath(page, [passed])).toBe(true)
    expect(isAftermath({ ...page, metric: 'impressions' }, [passed])).toBe(true)
    for (const other of [
      { ...page, change: -71 },
      { ...page, change: 30 },
      { ...page, change: null },
      { ...page, metric: 'ctr' as const },
      { ...page, entity: { kind: 'site', name: 's' } as const },
    ])
      expect(isAftermath(other, [passed])).toBe(false)
    expect(isAftermath(page, [{ ...passed, end: addDays(start, -1) }])).toBe(false)
    // Once the site is back, its days account for only as much of the week as they are.
    const back = (days: number) => [{ ...passed, end: addDays(start, days - 1), isBack: true }]
    expect([1, 2, 7].map((days) => isAftermath(page, back(days)))).toEqual([false, true, true])
    expect(isAftermath(page, [{ ...passed, start: addDays(end, 1), end: addDays(end, 3) }])).toBe(false)
  })

  test("muting loses nothing: each finding is separate or part of the site's", () => {
    const entity = fc.constantFrom(
      { kind: 'site', name: 's' } as const,
      { kind: 'page', name: '/a' } as const,
      { kind: 'query', name: 'q' } as const,
    )
    const anyFinding = fc
      .record({ entity, metric: fc.constantFrom('clicks' as const, 'position' as const), change: fc.integer({ min: -90, max: 90 }) })
      .map((each): Finding => ({ ...found(windows), ...each }))
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 12 }), (findings) => {
        const groups = muteUnderSite(findings)
        const reported = new Set(groups.flatMap((group) => [group.finding, ...group.contributors]))
        expect(reported.size).toBe(new Set(findings).size)
        const alone = groups.filter(({ finding }) => finding.entity.kind !== 'site')
        expect(alone.flatMap(({ contributors }) => contributors)).toEqual([])
      }),
    )
  })
})

test('an alert that ends says whether the figure returned or stayed at its new level', () => {
  const open = [alertOf({ ...found(windows), previous: 100, current: 50 }, through)]
  const later = addDays(through, 7)
  const ended = (current: number) => transitions(open, [{ ruleId: 'r1', entity: site, finding: null, current }], later)
  expect(ended(90)).toMatchObject([{ to: 'recovered', reason: 'back' }])
  expect(ended(52)).toMatchObject([{ to: 'recovered', reason: 'new_level' }])
})

test('a lost ranking recovers only within the positions that the rule watches', () => {
  const lost = rule({ kind: 'lost_query', metric: 'position', monitor: 'queries', targets: ['lamp'], threshold: 10, onlyUnusual: false })
  const entity = { kind: 'query', name: 'lamp' } as const
  const verdicts = (base: Sums, current: Sums, about = windows) => {
    const [run] = evaluateRules(
      [{ rule: lost, windows: about, entities: [figures({ entity, base, current, past: past() })] }],
      new Set(everyDay),
    )
    return run && 'verdicts' in run ? run.verdicts : []
  }
  for (const opened of [noSums, sums(0, 90, 25)]) {
    const [{ finding }] = verdicts(sums(30, 700, 4), opened) as [Verdict]
    expect(finding).toMatchObject({ metric: 'position', previous: 4 })
    const steps = (base: Sums, current: Sums, days: number) => {
      const later = windowsOf('previous_7_days', addDays(through, days))
      return transitions([alertOf(finding!, through)], verdicts(base, current, later), addDays(through, days))
    }
    expect(steps(noSums, sums(0, 3, 85), 5)).toEqual([])
    expect(steps(noSums, sums(0, 3, 85), 7)).toMatchObject([{ to: 'recovered', reason: 'new_level', level: 85 }])
    expect(steps(noSums, sums(0, 40, 11), 7)).toMatchObject([{ to: 'recovered', reason: 'new_level', level: 11 }])
    expect(steps(noSums, noSums, 7)).toMatchObject([{ to: 'recovered', reason: 'new_level', level: null }])
    expect(steps(noSums, sums(2, 40, 9), 1)).toMatchObject([{ to: 'recovered', reason: 'back' }])
  }
})

test('an alert ends without a word about its metric once Google counts that differently, apart from a few days', () => {
  const since = windowsOf('previous_7_days', '2026-04-26')
  const reasons = (changes: Partial<Finding>, searchType: SearchType = 'web') =>
    [90, 52].flatMap((current) => {
      const alert = { ...alertOf({ ...found(since), current: 50, previous: 100, ...changes }, '2026-04-26'), searchType }
      const verdict = { ruleId: alert.ruleId, entity: alert.entity, finding: null, current }
      return transitions([alert], [verdict], '2026-05-04').map((step) => (step.to === 'recovered' ? step.reason : step.to))
    })
  expect(reasons({ metric: 'impressions' })).toEqual(['counted_otherwise', 'counted_otherwise'])
  expect(reasons({ metric: 'clicks' })).toEqual(['back', 'new_level'])
  expect(reasons({ metric: 'impressions' }, 'discover')).toEqual(['back', 'new_level'])
  // What was new is compared with nothing.
  expect(reasons({ metric: 'position', previous: null })).not.toContain('counted_otherwise')
})

test('an alert whose metric has not recovered stays open until its week is over, so that one chance day sends nothing twice', () => {
  const fell = { ...found(windows), previous: 100, current: 50 }
  const steps = (days: number, change: Partial<OpenAlert> = {}, current = 52) =>
    transitions(
      [{ ...alertOf(fell, through), ...change }],
      [{ ruleId: 'r1', entity: site, finding: null, current }],
      addDays(through, days),
    )
  expect([1, 6].flatMap((days) => steps(days))).toEqual([])
  expect(steps(7)).toMatchObject([{ reason: 'new_level' }])
  expect(steps(1, {}, 90)).toMatchObject([{ reason: 'back' }])
  expect(steps(1, { isRuleChanged: true })).toMatchObject([{ to: 'recovered', reason: 'rule_changed' }])
  expect(steps(1, { finding: { ...fell, months: 12 } })).toMatchObject([{ reason: 'new_level' }])
})

test('an alert that ends because its rule was changed says so, unless its metric came back or its week is over anyway', () => {
  const fell = { ...found(windows), previous: 100, current: 50 }
  const reasons = (days: number, current: number, finding: Finding = fell) =>
    transitions(
      [{ ...alertOf(finding, through), isRuleChanged: true }],
      [{ ruleId: 'r1', entity: site, finding: null, current }],
      addDays(through, days),
    ).map((step) => 'reason' in step && step.reason)
  expect([reasons(0, 52), reasons(0, 90), reasons(1, 52)].flat()).toEqual(['rule_changed', 'rule_changed', 'rule_changed'])
  expect([reasons(1, 90), reasons(7, 52)].flat()).toEqual(['back', 'new_level'])
  // A smart rule decides itself how long an alert lasts.
  expect(reasons(1, 52, { ...fell, months: 12 })).toEqual(['rule_changed'])
  // What the changed rule finds too is evaluated by it from now on.
  const changed = [{ ...alertOf(fell, through), isRuleChanged: true }]
  expect(transitions(changed, [{ ruleId: 'r1', entity: site, finding: fell, current: 50 }], through)).toMatchObject([{ to: 'same' }])
})

test('a data revision that makes a fired alert false ends it, with that reason', () => {
  const open = [alertOf(found(windows), through)]
  const verdict = { ruleId: 'r1', entity: site, finding: null, current: 99 }
  expect(transitions(open, [verdict], through)).toEqual([{ to: 'recovered', alertId: 'a1', reason: 'revised' }])
  expect(transitions(open, [verdict], addDays(through, -1))).toEqual([])
})

test('weeks of history end where the current week begins', () => {
  expect(weeksBefore(windows.current, 2)).toEqual([
    { start: '2026-03-03', end: '2026-03-09' },
    { start: '2026-02-24', end: '2026-03-02' },
  ])
})

const everyDay = eachDay(addDays(through, -40), addDays(through, 14))
const site = { kind: 'site', name: 'example' } as const
const found = (about: Finding['windows']): Finding => ({
  ruleId: 'r1',
  entity: site,
  metric: 'clicks',
  severity: 'critical',
  current: 50,
  previous: 100,
  change: -50,
  windows: about,
})
const verdictOf = (each: Rule, data: EntityFigures): Verdict => ({
  ruleId: each.id,
  entity: data.entity,
  finding: evaluate(each, data, windows),
  current: data.current.clicks,
})
const alertOf = (finding: Finding, evaluatedThrough: string): OpenAlert => ({
  id: 'a1',
  ruleId: finding.ruleId,
  entity: finding.entity,
  state: 'firing',
  finding,
  latest: finding,
  evaluatedThrough,
})
const openFrom = (steps: ReturnType<typeof transitions>): OpenAlert[] =>
  steps.flatMap((step) => (step.to === 'firing' ? [alertOf(step.finding, through)] : []))
function scaled(data: EntityFigures, factor: number): EntityFigures {
  const times = (each: Sums): Sums => ({
    clicks: each.clicks * factor,
    impressions: each.impressions * factor,
    positionSum: each.positionSum * factor,
    rankedImpressions: each.rankedImpressions * factor,
  })
  return { ...data, current: times(data.current), base: times(data.base) }
}
