import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayNumber, eachDay, fromDayNumber } from '../../core/analytics/days.ts'
import { grains } from '../facts/schema.ts'
import { pauseSeconds } from './ask-google.ts'
import { spansOf } from './fetch-grain.ts'
import { type Chunk, chunkDays, chunksOf, type Coverage, freshChunks, nextBackfill, progress, secondsLeft } from './sync-plan.ts'

const day = fc.integer({ min: dayNumber('2024-01-01'), max: dayNumber('2026-12-31') }).map(fromDayNumber)
const length = fc.integer({ min: 1, max: 600 })
const daysOf = (chunks: readonly Chunk[]) => chunks.flatMap((chunk) => eachDay(chunk.from, chunk.to))

test('the backfill covers every day exactly once, newest first, in small chunks', () => {
  fc.assert(
    fc.property(day, length, (today, days) => {
      const backfillTo = addDays(today, 1 - days)
      const coverage: Coverage = { backfillTo, backfilledFrom: null, finalThrough: null, fetchedThrough: null }
      const chunks: Chunk[] = []
      for (let next = nextBackfill(coverage, today); next; next = nextBackfill(coverage, today)) {
        chunks.push(next)
        coverage.backfilledFrom = next.from
        expect(progress([coverage], today)).toEqual({ daysLeft: days - daysOf(chunks).length, daysTotal: days })
      }
      expect(chunks[0]?.to).toBe(today)
      expect(daysOf(chunks.toReversed())).toEqual(eachDay(backfillTo, today))
      expect(Math.max(...chunks.map((chunk) => eachDay(chunk.from, chunk.to).length))).toBeLessThanOrEqual(chunkDays)
    }),
  )
})

describe("the history's progress", () => {
  const today = '2026-11-10'
  const from = (backfilledFrom: string | null): Coverage => ({
    backfillTo: addDays(today, -99),
    backfilledFrom,
    finalThrough: null,
    fetchedThrough: null,
  })

  test('is a single number of days for all search types, which only grows', () => {
    const seen: number[] = []
    for (const [web, image] of [
      [0, 0],
      [7, 0],
      [50, 0],
      [100, 0],
      [100, 7],
      [100, 99],
      [100, 100],
    ] as const) {
      const coverages = [web, image].map((days) => from(days === 0 ? null : addDays(today, 1 - days)))
      const { daysLeft, daysTotal } = progress(coverages, today)
      expect(daysTotal).toBe(100)
      seen.push(daysTotal - daysLeft)
    }
    expect(seen).toEqual([0, 3, 25, 50, 53, 99, 100])
  })

  test('is estimated from the time per day so far; before the first day there is no estimate', () => {
    const beganAt = new Date('2026-11-10T12:00:00Z')
    const after = (seconds: number) => new Date(beganAt.getTime() + seconds * 1000)
    expect(secondsLeft({ beganAt, daysLeft: 489 }, 489, after(600))).toBeNull()
    expect(secondsLeft({ beganAt, daysLeft: 489 }, 389, after(50))).toBe(195)
    // It was interrupted at 200 long ago: what came before says nothing about the current pace.
    expect(secondsLeft({ beganAt, daysLeft: 200 }, 100, after(50))).toBe(50)
    expect(secondsLeft({ beganAt, daysLeft: 489 }, 0, after(50))).toBeNull()
    expect(secondsLeft(null, 100, after(50))).toBeNull()
  })
})

test("a later sync covers exactly the days that aren't final, up to today", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 60 }), length, (final, since, stored) => {
      const today = addDays(final, since)
      const coverage: Coverage = {
        backfillTo: '2020-01-01',
        backfilledFrom: addDays(final, 1 - stored),
        finalThrough: final,
        fetchedThrough: final,
      }
      expect(daysOf(freshChunks(coverage, today))).toEqual(eachDay(addDays(final, 1), today))
    }),
  )
})

test('a sync after a very long absence begins with the first day that Google still has', () => {
  const coverage: Coverage = {
    backfillTo: '2024-12-01',
    backfilledFrom: '2024-12-01',
    finalThrough: '2025-06-20',
    fetchedThrough: '2025-06-22',
  }
  expect(freshChunks(coverage, '2026-11-27')[0]?.from).toBe('2025-07-27')
  expect(freshChunks(coverage, '2026-10-20')[0]?.from).toBe('2025-06-21')
  // Over the end of a year, into a shorter month.
  expect(freshChunks(coverage, '2027-06-30')[0]?.from).toBe('2026-02-28')
})

test('revised days are merged without adding or losing one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(day, { maxLength: 60 }), (days) => {
      const ascending = days.toSorted()
      const chunks = chunksOf(ascending)
      expect(daysOf(chunks)).toEqual(ascending)
      for (const chunk of chunks) expect(eachDay(chunk.from, chunk.to).length).toBeLessThanOrEqual(chunkDays)
    }),
  )
})

test.each(grains)('the requests for the grain %s cover each day of a chunk once', (grain) => {
  fc.assert(
    fc.property(day, length, (from, days) => {
      const to = addDays(from, days - 1)
      expect(daysOf(spansOf(grain, { from, to }))).toEqual(eachDay(from, to))
    }),
  )
})

describe('pauses between attempts', () => {
  const attempt = fc.integer({ min: 0, max: 12 })
  const luck = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

  test('double, with at most half as jitter', () => {
    fc.assert(
      fc.property(attempt, luck, (n, random) => {
        const seconds = pauseSeconds({ attempts: 6, baseMs: 1000, random: () => random }, n)
        expect(seconds).toBeGreaterThanOrEqual(2 ** n / 2)
        expect(seconds).toBeLessThanOrEqual(2 ** n)
      }),
    )
  })

  test('are never shorter than Google requested', () => {
    fc.assert(
      fc.property(attempt, luck, fc.integer({ min: 0, max: 3600 }), (n, random, asked) => {
        expect(pauseSeconds({ attempts: 6, baseMs: 1000, random: () => random }, n, asked)).toBeGreaterThanOrEqual(asked)
      }),
    )
  })
})
