import { Bell } from 'lucide-react'
import { describe, expect, test } from 'vitest'
import { bandOf, dayAt, daysOf, drawnOf, type Frame, groupMarks, middleOf, runsOf, spread, xOf, yOf } from './geometry.ts'
import { placeBandLabels } from './layout.ts'

const day = (date: string, value: number | null, complete = true) => ({ date, value, complete })
/** Ten days of ten pixels each, values from 0 to 100. */
const frame: Frame = {
  left: 50,
  top: 20,
  width: 100,
  height: 208,
  first: '2026-03-01',
  days: 10,
  axis: { bottom: 0, top: 100, ticks: [0, 100] },
}

test('the axis has the days of all lines, with another year under this one', () => {
  const series = [
    { label: 'now', points: [day('2026-03-02', 1), day('2026-03-03', 1)] },
    { label: 'a year earlier', points: [day('2025-03-03', 1), day('2025-03-06', 1)], shift: 364 },
  ]
  expect(daysOf(series)).toEqual({ first: '2026-03-02', days: 4 })
  expect(daysOf([{ label: 'now', points: [] }])).toBeNull()
})

test('a day is in the middle of its slot, a value at its height', () => {
  expect(xOf(frame, '2026-03-01')).toBe(55)
  expect(xOf(frame, '2026-03-10')).toBe(145)
  expect([0, 25, 100].map((value) => yOf(frame, value))).toEqual([228, 178, 28])
})

test('a week is in the middle of its days, and its line continues to the next week', () => {
  const week = (date: string, end: string) => ({ ...day(date, 1), end })
  const weeks = [week('2026-03-01', '2026-03-01'), week('2026-03-02', '2026-03-08')]
  expect(daysOf([{ label: 'now', points: weeks }])).toEqual({ first: '2026-03-01', days: 8 })
  expect(weeks.map((each) => middleOf(frame, each))).toEqual([55, 95])
  expect(runsOf(weeks)).toHaveLength(1)
  expect(runsOf([...weeks, week('2026-03-16', '2026-03-22')])).toHaveLength(2)
})

test('with more points than pixels, no peak is lost', () => {
  const few = [0, 10, 20].map((x) => ({ x, y: x }))
  expect(drawnOf(few)).toBe(few)
  const many = Array.from({ length: 5_000 }, (_, index) => ({ x: index / 20, y: index === 3_333 ? 900 : index % 7 }))
  const drawn = drawnOf(many)
  expect(drawn.length).toBeLessThanOrEqual(4 * 250)
  expect(drawn).toContain(many[3_333])
  expect([drawn[0], drawn.at(-1)]).toEqual([many[0], many.at(-1)])
  expect(drawn.map(({ x }) => x)).toEqual(drawn.map(({ x }) => x).toSorted((a, b) => a - b))
})

test('positions run downwards', () => {
  const positions = { ...frame, axis: { bottom: 21, top: 1, ticks: [1, 21] } }
  expect([1, 11, 21].map((value) => yOf(positions, value))).toEqual([28, 128, 228])
})

test('a shaded period covers whole days, as far as they are in the chart', () => {
  expect(bandOf(frame, { start: '2026-03-03', end: '2026-03-05' })).toEqual({ x: 70, width: 30 })
  expect(bandOf(frame, { start: '2026-02-20', end: '2026-03-02' })).toEqual({ x: 50, width: 20 })
  expect(bandOf(frame, { start: '2026-03-10', end: '2026-04-02' })).toEqual({ x: 140, width: 10 })
  expect(bandOf(frame, { start: '2026-02-20', end: '2026-02-28' })).toBeNull()
})

test('the pointer finds the day whose slot it is in, even beyond the edges', () => {
  expect([-0.2, 0, 0.09, 0.1, 0.55, 0.999, 1, 3].map((at) => dayAt(frame, at))).toEqual([
    '2026-03-01',
    '2026-03-01',
    '2026-03-01',
    '2026-03-02',
    '2026-03-06',
    '2026-03-10',
    '2026-03-10',
    '2026-03-10',
  ])
})

describe('a line', () => {
  const pieces = (points: Parameters<typeof runsOf>[0]) =>
    runsOf(points).map(({ preliminary, points: run }) => [
      preliminary ? 'dotted' : 'drawn',
      run.map(({ date }) => date.slice(-2)).join(' '),
    ])

  test('breaks where a day is missing, which is never a zero', () => {
    expect(pieces([day('2026-03-01', 5), day('2026-03-02', 0), day('2026-03-03', null), day('2026-03-04', 7)])).toEqual([
      ['drawn', '01 02'],
      ['drawn', '04'],
    ])
    expect(pieces([day('2026-03-01', 5), day('2026-03-03', 7)])).toEqual([
      ['drawn', '01'],
      ['drawn', '03'],
    ])
    expect(pieces([day('2026-03-01', null)])).toEqual([])
  })

  test('continues as preliminary from the last complete day', () => {
    expect(pieces([day('2026-03-01', 5), day('2026-03-02', 6), day('2026-03-03', 7, false), day('2026-03-04', 1, false)])).toEqual([
      ['drawn', '01 02'],
      ['dotted', '02 03 04'],
    ])
    expect(pieces([day('2026-03-01', 5, false), day('2026-03-02', 6), day('2026-03-03', 7)])).toEqual([
      ['dotted', '01 02'],
      ['drawn', '02 03'],
    ])
  })
})

test('overlapping marks are merged, and those outside are omitted', () => {
  const mark = (date: string) => ({ date, label: date, kind: 'Alert', Icon: Bell })
  const dates = ['2026-03-09', '2026-03-02', '2026-03-03', '2026-02-01', '2026-03-06']
  const groups = groupMarks(frame, dates.map(mark), 40)
  expect(groups.map(({ x, marks }) => [x, marks.map(({ date }) => date)])).toEqual([
    [65, ['2026-03-02', '2026-03-03']],
    [105, ['2026-03-06', '2026-03-09']],
  ])
})

test("labels at the ends of lines don't overlap, and stay in the order of the lines and within the chart", () => {
  expect(spread([50, 100], 16, 0, 200)).toEqual([50, 100])
  expect(spread([100, 100], 16, 0, 200)).toEqual([100, 116])
  expect(spread([199, 198], 16, 0, 200)).toEqual([200, 184])
  expect(spread([2, 1], 16, 6, 200)).toEqual([22, 6])
})

describe('the labels of shaded periods', () => {
  test('are next to each other if there is room', () => {
    const bands = [
      { x: 400, width: 80, textWidth: 120 },
      { x: 480, width: 80, textWidth: 110 },
    ]
    expect(placeBandLabels(bands, 30, 700)).toEqual([
      { x: 476, anchor: 'end', row: 0 },
      { x: 484, anchor: 'start', row: 0 },
    ])
  })

  test("are in two rows if there isn't", () => {
    const bands = [
      { x: 250, width: 25, textWidth: 120 },
      { x: 275, width: 25, textWidth: 110 },
    ]
    expect(placeBandLabels(bands, 30, 310)).toEqual([
      { x: 271, anchor: 'end', row: 0 },
      { x: 296, anchor: 'end', row: 1 },
    ])
  })

  test('stay within the chart', () => {
    expect(placeBandLabels([{ x: 30, width: 10, textWidth: 90 }], 30, 310)).toEqual([{ x: 34, anchor: 'start', row: 0 }])
    expect(placeBandLabels([{ x: 300, width: 10, textWidth: 90 }], 30, 310)).toEqual([{ x: 306, anchor: 'end', row: 0 }])
  })
})
