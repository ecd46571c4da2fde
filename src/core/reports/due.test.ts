import { describe, expect, test } from 'vitest'
import { isDue, latestReport, nextLook, nextReportAt, pendingReport } from './due.ts'

const at = (text: string): Date => new Date(text)

describe('what is due', () => {
  const weekly = { kind: 'week', firstStart: '2026-03-09', sentStart: null } as const
  const week = { start: '2026-03-09', end: '2026-03-15' }
  const tuesday = at('2026-03-17T20:00:00Z')

  test('as soon as every property is complete', () => {
    expect(pendingReport(weekly, tuesday)).toEqual(week)
    expect(isDue(week, [true, true], tuesday)).toBe(true)
    expect(isDue(week, [true, false], tuesday)).toBe(false)
  })

  test('or five days after its end, with what there is', () => {
    expect(isDue(week, [false], at('2026-03-20T06:59:00Z'))).toBe(false)
    expect(isDue(week, [false], at('2026-03-20T20:00:00Z'))).toBe(true)
  })

  test('once, and none that ended before the schedule was created', () => {
    expect(pendingReport({ ...weekly, sentStart: '2026-03-09' }, tuesday)).toBeNull()
    expect(pendingReport({ ...weekly, firstStart: '2026-03-16' }, tuesday)).toBeNull()
  })

  test('only the last of several missed ones', () => {
    expect(pendingReport({ ...weekly, firstStart: '2026-01-05' }, tuesday)).toEqual(week)
  })

  test('months as well', () => {
    const monthly = { kind: 'month', firstStart: '2026-02-01', sentStart: null } as const
    expect(pendingReport(monthly, at('2026-03-02T20:00:00Z'))).toEqual({ start: '2026-02-01', end: '2026-02-28' })
  })
})

test("schedules are checked daily at the digest hour, in the owner's time zone", () => {
  const berlin = { timeZone: 'Europe/Berlin', digestHour: 8 }
  expect(nextLook(berlin, at('2026-03-17T06:59:00Z'))).toEqual(at('2026-03-17T07:00:00Z'))
  expect(nextLook(berlin, at('2026-03-17T07:00:00Z'))).toEqual(at('2026-03-18T07:00:00Z'))
})

const utc = { timeZone: 'UTC', digestHour: 8 }

test('the approximate time of the next one', () => {
  const now = at('2026-03-17T20:00:00Z')
  const lookAt = at('2026-03-18T08:00:00Z')
  const weekly = { kind: 'week', firstStart: '2026-03-09', sentStart: null, lookAt } as const
  expect(nextReportAt(weekly, utc, now)).toEqual(at('2026-03-18T08:00:00Z'))
  expect(nextReportAt({ ...weekly, sentStart: '2026-03-09' }, utc, now)).toEqual(at('2026-03-25T08:00:00Z'))
  expect(nextReportAt({ ...weekly, firstStart: '2026-03-16' }, utc, now)).toEqual(at('2026-03-25T08:00:00Z'))
})

test('a new digest hour counts after the check that is already planned', () => {
  const now = at('2026-03-18T07:00:00Z')
  const weekly = { kind: 'week', firstStart: '2026-03-09', sentStart: null } as const
  const [morning, evening] = [at('2026-03-18T08:00:00Z'), at('2026-03-18T18:00:00Z')]
  expect(nextReportAt({ ...weekly, lookAt: morning }, { ...utc, digestHour: 18 }, now)).toEqual(morning)
  expect(nextReportAt({ ...weekly, lookAt: evening }, { ...utc, digestHour: 8 }, now)).toEqual(evening)
  const sent = { ...weekly, sentStart: '2026-03-09', lookAt: morning }
  expect(nextReportAt(sent, { ...utc, digestHour: 18 }, now)).toEqual(at('2026-03-25T18:00:00Z'))
})

describe('the latest report if no period is specified', () => {
  const now = at('2026-03-17T20:00:00Z')
  const [older, newer] = [
    { start: '2026-03-02', end: '2026-03-08' },
    { start: '2026-03-09', end: '2026-03-15' },
  ]

  test('is complete for all properties', () => {
    expect(latestReport([newer, older], now)).toEqual(older)
    expect(latestReport([newer, newer], now)).toEqual(newer)
  })
  test("doesn't wait for one without new data", () => {
    expect(latestReport([older, newer], at('2026-03-21T20:00:00Z'))).toEqual(newer)
    expect(latestReport([newer, null], now)).toEqual(newer)
    expect(latestReport([null, null], now)).toBeNull()
  })
})
