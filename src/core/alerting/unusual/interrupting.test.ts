import { expect, test } from 'vitest'
import { noSums, type Sums } from '../figures.ts'
import { interrupts } from './interrupting.ts'

const clicks = (count: number): Sums => ({ ...noSums, clicks: count, impressions: 10_000 })
const steady = Array.from({ length: 8 }, () => clicks(1_000))
const week = { start: '2026-03-02', end: '2026-03-08' }

test("a week with half of every previous week's clicks interrupts", () => {
  expect(interrupts('clicks', { current: clicks(500), before: clicks(1_000), weeks: steady, week })).toBe(true)
  expect(interrupts('ctr', { current: clicks(500), before: clicks(1_000), weeks: steady, week })).toBe(true)
})

test("a week that returns to the usual after a good one doesn't, nor does a drop that may be due to chance", () => {
  expect(interrupts('clicks', { current: clicks(1_000), before: clicks(1_600), weeks: [clicks(1_600), ...steady.slice(1)], week })).toBe(
    false,
  )
  const few = Array.from({ length: 8 }, () => clicks(4))
  expect(interrupts('clicks', { current: clicks(1), before: clicks(4), weeks: few, week })).toBe(false)
})

test("a week around New Year doesn't", () => {
  const fallen = { current: clicks(400), before: clicks(1_000), weeks: steady }
  expect(interrupts('clicks', { ...fallen, week: { start: '2025-12-22', end: '2025-12-28' } })).toBe(false)
  expect(interrupts('clicks', { ...fallen, week: { start: '2026-01-03', end: '2026-01-09' } })).toBe(true)
})
