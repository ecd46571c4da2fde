import { describe, expect, test } from 'vitest'
import { addDays, eachDay } from './days.ts'
import { type DayFigures, metricsOf } from './metrics.ts'
import { changePercent, totalsOf } from './totals.ts'

const end = '2026-03-16'
/** One day where every impression has a known position. */
const dayOf = (date: string, figures: Omit<DayFigures, 'date' | 'rankedImpressions'>): DayFigures => ({
  date,
  ...figures,
  rankedImpressions: figures.impressions,
})
const days = (from: string, to: string, figures: Omit<DayFigures, 'date' | 'rankedImpressions'>): DayFigures[] =>
  eachDay(from, to).map((date) => dayOf(date, figures))
const thisWeek = days('2026-03-10', end, { clicks: 20, impressions: 100, positionSum: 500 })
const weekBefore = days('2026-03-03', '2026-03-09', { clicks: 10, impressions: 200, positionSum: 800 })
/** Cards for these days; those without figures are stored too, unless `stored` says otherwise. */
const cardsOf = (shown: readonly DayFigures[], stored = eachDay('2026-02-01', end)) =>
  metricsOf('p', { days: shown, stored: new Set(stored) }, end)

describe('metric cards', () => {
  test('compare 7 complete days with the 7 before', () => {
    const cards = cardsOf([...weekBefore, ...thisWeek])
    expect(cards).toMatchObject({
      clicks: 140,
      clicksPrevious: 70,
      clicksChange: 100,
      impressions: 700,
      impressionsPrevious: 1400,
      impressionsChange: -50,
    })
    expect(cards).toMatchObject({ ctr: 0.2, ctrPrevious: 0.05, position: 5, positionPrevious: 4, positionChange: 25 })
    expect(cards.ctrChange).toBeCloseTo(300, 9)
  })

  test("don't count days that aren't complete yet", () => {
    const unfinished = dayOf(addDays(end, 1), { clicks: 1000, impressions: 1000, positionSum: 1000 })
    expect(cardsOf([...weekBefore, ...thisWeek, unfinished])).toEqual(cardsOf([...weekBefore, ...thisWeek]))
  })

  test('weight positions by impressions', () => {
    const a = dayOf('2026-03-15', { clicks: 0, impressions: 900, positionSum: 900 * 2 })
    const b = dayOf('2026-03-16', { clicks: 0, impressions: 100, positionSum: 100 * 12 })
    expect(cardsOf([a, b]).position).toBe(3)
  })

  test('leave impressions without a known position out of the mean, and show 0 if none is known', () => {
    const known = dayOf('2026-03-15', { clicks: 0, impressions: 100, positionSum: 400 })
    const unknown = { date: '2026-03-16', clicks: 0, impressions: 900, positionSum: 0, rankedImpressions: 0 }
    expect(cardsOf([known, unknown]).position).toBe(4)
    expect(cardsOf([unknown])).toMatchObject({ position: 0, positionChange: 0 })
  })

  test('tell days that are stored without impressions from days that are not stored', () => {
    expect(cardsOf([])).toMatchObject({ isStored: true, dates: [] })
    expect(cardsOf([], eachDay('2026-02-01', '2026-03-09'))).toMatchObject({ isStored: false, dates: [] })
  })

  test('have no change in CTR without impressions', () => {
    expect(cardsOf(weekBefore)).toMatchObject({ impressions: 0, ctr: 0, ctrPrevious: 0.05, ctrChange: 0 })
  })

  test('have nothing to compare with if the week before is missing', () => {
    expect(cardsOf(thisWeek, eachDay('2026-03-10', end))).toMatchObject({
      clicksChange: 0,
      clicksPrevious: null,
      impressionsPrevious: null,
      ctrPrevious: null,
      positionPrevious: null,
      positionChange: 0,
    })
  })

  test.each([
    ['half a week is stored', eachDay('2026-03-07', end)],
    ['a day of the week before is missing', eachDay('2026-03-03', end).filter((day) => day !== '2026-03-05')],
    ['a day of this week is missing', eachDay('2026-03-03', end).filter((day) => day !== '2026-03-12')],
  ])("don't compare if %s: it would look like a rise or a drop", (_, stored) => {
    const shown = [...weekBefore, ...thisWeek].filter(({ date }) => stored.includes(date))
    const cards = cardsOf(shown, stored)
    expect(cards).toMatchObject({ clicksPrevious: null, impressionsPrevious: null, ctrPrevious: null, positionPrevious: null })
    expect(cards).toMatchObject({ clicksChange: 0, impressionsChange: 0, ctrChange: 0, positionChange: 0 })
    expect(cards.dates).toEqual(stored)
  })

  test('count a stored day without figures as one on which nothing was shown', () => {
    const quiet = weekBefore.filter(({ date }) => date !== '2026-03-05')
    expect(cardsOf([...quiet, ...thisWeek])).toMatchObject({ clicks: 140, clicksPrevious: 60 })
  })

  test('distinguish a week of zeros, which Google has no rows for, from a week without data', () => {
    const zeros = days('2026-03-03', '2026-03-09', { clicks: 0, impressions: 0, positionSum: 0 })
    for (const shown of [[...zeros, ...thisWeek], thisWeek]) {
      expect(cardsOf(shown)).toMatchObject({
        clicksPrevious: 0,
        clicksChange: 0,
        impressionsPrevious: 0,
        ctrPrevious: null,
        positionPrevious: null,
      })
    }
    expect(cardsOf(weekBefore)).toMatchObject({ clicks: 0, clicksPrevious: 70, clicksChange: -100, impressionsChange: -100 })
  })

  test('omit days without data from the sparklines', () => {
    const gap = thisWeek.filter((day) => day.date !== '2026-03-12')
    const cards = cardsOf(gap)
    expect(cards.dates).toEqual(['2026-03-10', '2026-03-11', '2026-03-13', '2026-03-14', '2026-03-15', '2026-03-16'])
    expect(cards.clicksData).toHaveLength(6)
  })

  test('with no days at all are zeros, never NaN', () => {
    const cards = cardsOf([])
    expect(new Set(Object.values(cards).filter((value) => typeof value === 'number'))).toEqual(new Set([0]))
  })
})

test('totals of nothing are zeros, and a change from zero is no change', () => {
  expect(totalsOf([])).toEqual({ clicks: 0, impressions: 0, ctr: 0, position: 0 })
  expect(changePercent(5, 0)).toBe(0)
  expect(changePercent(0, 5)).toBe(-100)
})
