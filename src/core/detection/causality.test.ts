import fc from 'fast-check'
import { expect, test } from 'vitest'
import { samples } from '../../../test/support/in-full.ts'
import { createRates } from './click-rates.ts'
import { holidaysOf } from './holidays.ts'
import { detect, type DetectorState } from './smart.ts'

// The verdict on a day depends only on that day and those before it: later days change nothing, and neither does cached state.

const length = 330
const options = { isHoliday: holidaysOf('deu'), sensitivity: 'normal' } as const
const start = '2025-02-03'

/** Counts of any size, with weekdays, days that are not known, outages and spikes. */
const series = fc
  .record({
    level: fc.constantFrom(0, 2, 40, 900, 30_000),
    noise: fc.array(fc.double({ min: 0.7, max: 1.3, noNaN: true }), { minLength: length, maxLength: length }),
    odd: fc.array(fc.tuple(fc.nat(length - 1), fc.constantFrom(null, 0, 0.3, 5)), { maxLength: 12 }),
  })
  .map(({ level, noise, odd }) => {
    const counts: (number | null)[] = noise.map((factor, day) => Math.round(level * factor * (day % 7 >= 5 ? 0.5 : 1)))
    for (const [from, factor] of odd) {
      for (let day = from; day < Math.min(length, from + 5); day++) {
        const count = counts[day] ?? null
        counts[day] = factor === null || count === null ? null : Math.round(count * factor)
      }
    }
    return counts
  })

test('later days change no verdict about a series', () => {
  fc.assert(
    fc.property(series, series, fc.integer({ min: 60, max: length - 1 }), (counts, others, day) => {
      const changed = [...counts.slice(0, day + 1), ...others.slice(day + 1)]
      const upTo = (of: readonly (number | null)[]) => detect({ start, counts: of }, options, null).verdicts.slice(0, day + 1)
      expect(upTo(changed)).toEqual(upTo(counts))
    }),
    { numRuns: samples(4, 40) },
  )
})

test('cached state of earlier days gives the same result as evaluating all of them', () => {
  fc.assert(
    fc.property(series, fc.array(fc.integer({ min: 1, max: length - 1 }), { minLength: 1, maxLength: 4 }), (counts, stops) => {
      const whole = detect({ start, counts }, options, null)
      let state: DetectorState | null = null
      const verdicts = [...stops.toSorted((a, b) => a - b), length].flatMap((days) => {
        const looked = detect({ start, counts: counts.slice(0, days) }, options, state)
        state = JSON.parse(JSON.stringify(looked.state)) as DetectorState
        return looked.verdicts
      })
      expect(verdicts).toEqual(whole.verdicts)
      expect(state).toEqual(JSON.parse(JSON.stringify(whole.state)))
    }),
    { numRuns: samples(4, 40) },
  )
})

test('later days change no verdict about a CTR', () => {
  const days = fc.array(
    fc.record({
      clicks: fc.nat(40),
      impressions: fc.integer({ min: 40, max: 900 }),
      place: fc.double({ min: 0, max: 3, noNaN: true }),
      known: fc.integer({ min: 0, max: 40 }).map((n) => n > 0),
    }),
    { minLength: length, maxLength: length },
  )
  const ratesOf = (queries: { clicks: number; impressions: number; place: number; known: boolean }[][]) =>
    createRates(
      queries.map((of) => ({
        clicks: of.map(({ clicks }) => clicks),
        impressions: of.map(({ impressions }) => impressions),
        logPositions: of.map(({ place }) => place),
      })),
      (queries[0] ?? []).map(({ known }) => known),
    )
  fc.assert(
    fc.property(days, days, days, fc.integer({ min: 100, max: length - 1 }), (one, two, others, day) => {
      const changed = [one, two].map((of) => [...of.slice(0, day + 1), ...others.slice(day + 1)])
      expect(ratesOf(changed).testEach([0, 1], day, 'fall')).toEqual(ratesOf([one, two]).testEach([0, 1], day, 'fall'))
      const six = (of: (typeof one)[]) => ratesOf([...of, ...of, ...of])
      const together = [0, 1, 2, 3, 4, 5]
      expect(six(changed).testTogether(together, day, 'fall')).toEqual(six([one, two]).testTogether(together, day, 'fall'))
    }),
    { numRuns: samples(5, 30) },
  )
})

test('days of clock changes are days like any other', () => {
  // The same weekdays, with and without the clock changes in March and November among them.
  const counts = Array.from({ length: 130 }, (_, day) => Math.round(500 * (day % 7 >= 5 ? 0.6 : 1) * (day >= 120 ? 0.6 : 1)) + (day % 5))
  const from = (date: string) => {
    const { verdicts } = detect({ start: date, counts }, { ...options, isHoliday: () => false }, null)
    return verdicts.map(({ fall, rise }) => ({ fall, rise }))
  }
  expect(from('2025-09-01')).toEqual(from('2025-05-05'))
  expect(from('2026-01-05')).toEqual(from('2025-05-05'))
})
