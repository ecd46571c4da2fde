import { expect, test } from 'vitest'
import { clockIn, hourChoices, timeZoneChoices, weekdayChoices } from './times.ts'

test('the week starts on Monday', () => {
  expect(weekdayChoices[0]).toEqual({ value: '1', label: 'Monday' })
  expect(weekdayChoices[6]).toEqual({ value: '7', label: 'Sunday' })
})

test("quiet hours can't end when they begin", () => {
  expect(hourChoices(null)).toHaveLength(24)
  expect(hourChoices(null)[7]).toEqual({ value: '7', label: '07:00' })
  expect(hourChoices(22)).toHaveLength(23)
  expect(hourChoices(22).map(({ label }) => label)).not.toContain('22:00')
})

test("time zones are the browser's, the saved one, and UTC, each once and readable", () => {
  expect(timeZoneChoices(['Europe/Paris', 'America/New_York'], 'Asia/Kolkata', 'Europe/Paris')).toEqual([
    { value: 'America/New_York', label: 'America/New York' },
    { value: 'Asia/Kolkata', label: 'Asia/Kolkata' },
    { value: 'Europe/Paris', label: 'Europe/Paris' },
    { value: 'UTC', label: 'UTC' },
  ])
})

test('the time elsewhere', () => {
  const noon = new Date('2026-07-01T12:00:00Z')
  expect(clockIn('UTC', noon)).toBe('12:00')
  expect(clockIn('Asia/Kolkata', noon)).toBe('17:30')
  expect(clockIn('America/New_York', noon)).toBe('08:00')
})
