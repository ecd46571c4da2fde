import { expect, test } from 'vitest'
import { historyGrains, historyRanges } from '../../../contract/history.ts'
import type { NamedComparison } from '../../../contract/range.ts'
import { addDays, daysBetween, eachDay } from '../../../core/analytics/days.ts'
import { historyOf } from '../../../core/analytics/history.ts'
import { comparedName, namesOf } from './names-of-days.ts'

const known = { current: { start: '2026-03-02', end: '2026-03-15' }, previous: { start: '2026-01-05', end: '2026-01-18' } }

test('a card says which days its change is relative to', () => {
  expect(comparedName({ range: '7d', compare: 'previous' }, {})).toBe('previous 7 days')
  expect(comparedName({ range: { start: '2026-03-02', end: '2026-03-15' }, compare: 'previous' }, known)).toBe('previous 14 days')
  expect(comparedName({ range: '28d', compare: 'year' }, known)).toBe('previous year')
  expect(comparedName({ range: '28d', compare: { start: '2026-01-05' } }, known)).toBe('5–18 Jan')
  const lastYear = { ...known, previous: { start: '2025-03-03', end: '2025-03-16' } }
  expect(comparedName({ range: '28d', compare: { start: '2025-03-03' } }, lastYear)).toBe('3–16 Mar 2025')
})

test.for(historyRanges.filter((range) => range !== 'all'))('%s by any interval: the words name the days compared', (range) => {
  const completeThrough = '2026-11-24'
  const stored = { firstDay: '2023-01-01', completeThrough, stored: new Set(eachDay('2023-01-01', completeThrough)) }
  for (const grain of historyGrains) {
    const of = (compare: NamedComparison) => {
      const { period, compared } = historyOf('p', { ...stored, days: [] }, { range, compare, grain })
      const days = { current: period, previous: compared }
      return { ...days, card: comparedName({ range, compare }, days), words: namesOf({ range, compare }, days).before }
    }
    const before = of('previous')
    const count = daysBetween(before.current.start, before.current.end)
    expect(before).toMatchObject({
      previous: { start: addDays(before.current.start, -count), end: addDays(before.current.start, -1) },
      card: `previous ${count} days`,
      words: count === 7 ? 'the week before' : `the ${count} days before`,
    })
    expect(of('year')).toMatchObject({
      previous: { start: addDays(before.current.start, -364), end: addDays(before.current.end, -364) },
      card: 'previous year',
      words: 'the same weekdays a year earlier',
    })
  }
})

test('a sentence names the chosen days and those before', () => {
  expect(namesOf({ range: '7d', compare: 'previous' }, known)).toEqual({
    now: 'in the last 7 days',
    before: 'the week before',
    earlier: 'the week before',
    both: 'in the last two weeks',
  })
  expect(namesOf({ range: '16m', compare: 'year' }, known)).toMatchObject({
    now: 'in the last 16 months',
    before: 'the same weekdays a year earlier',
    earlier: 'on the same weekdays a year earlier',
  })
  expect(namesOf({ range: '28d', compare: 'previous' }, {})).toMatchObject({
    before: 'the 28 days before',
    earlier: 'in the 28 days before',
  })
  expect(namesOf({ range: { start: '2026-03-02', end: '2026-03-15' }, compare: { start: '2026-01-05' } }, known)).toMatchObject({
    now: 'for 2–15 Mar 2026',
    before: '5–18 Jan 2026',
  })
})
