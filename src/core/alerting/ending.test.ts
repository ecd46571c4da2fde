import { expect, test } from 'vitest'
import { type Ending, endingOf, isGoodEnding, isSilentEnd, levelOf, levelText } from './ending.ts'

const of = (reason: string | null, more: Partial<Parameters<typeof endingOf>[0]> = {}): Ending =>
  endingOf({ reason, severity: 'critical', isWithdrawn: false, ...more })

test('an alert has recovered only if its metric came back', () => {
  expect(['back', 'works_again', null].map((reason) => of(reason))).toEqual(['recovered', 'recovered', 'recovered'])
  expect(of('new_level')).toBe('settled')
  expect(of('revised')).toBe('revised')
  for (const reason of ['rule_changed', 'rule_off', 'rule_deleted', 'not_monitored', 'day_unknown', 'counted_otherwise', 'moon_full'])
    expect(of(reason)).toBe('ended')
  expect(of('day_withdrew')).toBe('withdrawn')
  // From before the reason was stored.
  expect(of(null, { isWithdrawn: true })).toBe('withdrawn')
})

test('an improvement that is over, and something new, have not recovered', () => {
  expect(of('back', { severity: 'positive' })).toBe('ended')
  expect(of('new_level', { severity: 'positive', level: { value: 5, before: null, days: 7 } })).toBe('ended')
  expect(of('new_level', { severity: 'positive' })).toBe('ended')
  expect(of('new_level', { severity: 'positive', level: { value: 900, before: 700, days: 7 } })).toBe('settled')
})

test('only the end of a problem is good news', () => {
  expect((['recovered', 'withdrawn', 'settled', 'revised', 'ended'] as const).map((as) => isGoodEnding(as, 'critical'))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(isGoodEnding('withdrawn', 'positive')).toBe(false)
})

test('nobody is notified of ends that follow from what the owner did, or that say nothing about the metric', () => {
  const silent = ['rule_changed', 'rule_off', 'rule_deleted', 'not_monitored', 'counted_otherwise']
  expect(silent.filter(isSilentEnd)).toEqual(silent)
  expect(['back', 'new_level', 'revised', 'works_again', 'day_withdrew'].some(isSilentEnd)).toBe(false)
})

test('a new level has both figures', () => {
  expect(levelText('clicks', { value: 280, before: 700, days: 7 })).toBe('280 clicks a week, was 700')
  expect(levelText('clicks', { value: 1, before: 40, days: 7 })).toBe('1 click a week, was 40')
  expect(levelText('impressions', { value: 0.8, before: 9.4, days: 1 })).toBe('1 impression a day, was 9')
  expect(levelText('impressions', { value: 1200, before: 9000, days: 1 })).toBe('1,200 impressions a day, was 9,000')
  expect(levelText('ctr', { value: 0.021, before: 0.04, days: 7 })).toBe('CTR 2.10%, was 4.00%')
  expect(levelText('position', { value: 12.3, before: 4.1, days: 7 })).toBe('position 12.3, was 4.1')
  expect(levelText('position', { value: null, before: 4.1, days: 7 })).toBe('no longer ranking, was at position 4.1')
  expect(levelText('ctr', { value: null, before: 0.04, days: 7 })).toBe('no impressions, CTR was 4.00%')
})

test('the level is that of the days the alert was opened with, or else a day', () => {
  const week = { windows: { current: { start: '2026-06-01', end: '2026-06-07' } } }
  const opening = { ...week, current: 400, previous: 700 }
  const latest = { windows: { current: { start: '2026-06-06', end: '2026-06-12' } }, current: 300, previous: 500 }
  expect(levelOf('clicks', opening, latest, 280)).toEqual({ value: 280, before: 700, days: 7 })
  expect(levelOf('position', { ...opening, current: null, previous: 4 }, latest, null)).toEqual({ value: null, before: 4, days: 7 })
  expect(levelOf('position', { ...opening, previous: 4, months: 12 }, { ...latest, current: 13 }, null)).toEqual({
    value: null,
    before: 4,
    days: 7,
  })
  // So is the CTR at the end of an alert of a smart rule.
  expect(levelOf('ctr', { ...opening, current: 0.02, previous: 0.1, months: 12 }, { ...latest, current: 0.03 }, 0.05)).toEqual({
    value: 0.05,
    before: 0.1,
    days: 7,
  })
  // Smart rules look at varying numbers of days, and the alert's own figures are the last known ones.
  const day = { windows: { current: { start: '2026-06-03', end: '2026-06-03' } }, current: 30, previous: 100, months: 12 }
  expect(levelOf('clicks', day, { ...latest, current: 210, months: 12 }, 999)).toEqual({ value: 30, before: 100, days: 1 })
})
