import { describe, expect, test } from 'vitest'
import type { Metrics } from '../../../contract/metrics.ts'
import { metricsRead } from '../../../contract/metrics.ts'
import { metricView } from './metric-view.ts'

const metrics: Metrics = {
  property: 'sc-domain:shop.example',
  clicks: 983,
  clicksChange: -18.4,
  clicksPrevious: 1204,
  clicksData: [140, 150],
  impressions: 20_000,
  impressionsChange: 0,
  impressionsPrevious: null,
  impressionsData: [9_000, 11_000],
  ctr: 0.04915,
  ctrChange: 2,
  ctrPrevious: 0.0482,
  ctrData: [0.0156, 0.0136],
  position: 8.04,
  positionChange: 1.2,
  positionPrevious: 7.94,
  positionData: [8, 8.1],
  dates: ['2026-11-08', '2026-11-09'],
  current: { start: '2026-11-03', end: '2026-11-09' },
  previous: { start: '2026-10-27', end: '2026-11-02' },
  isStored: true,
  completeThrough: '2026-11-09',
}

test('a change says what it is relative to', () => {
  expect(metricView(metrics, 'clicks')).toEqual({
    value: '983',
    change: -18.4,
    incomparable: null,
    base: { values: '1,204 → 983', periods: '3–9 Nov vs 27 Oct–2 Nov' },
    points: [
      { date: '2026-11-08', value: 140 },
      { date: '2026-11-09', value: 150 },
    ],
    dated: true,
  })
  const lastYear = { ...metrics, previous: { start: '2025-11-04', end: '2025-11-10' } }
  expect(metricView(lastYear, 'clicks').base?.periods).toBe('3–9 Nov 2026 vs 4–10 Nov 2025')
  expect(metricView(metrics, 'ctr').base?.values).toBe('4.82% → 4.92%')
  expect(metricView(metrics, 'position').base?.values).toBe('7.9 → 8.0')
})

test("without a stored day there is no figure, and position isn't alone in that", () => {
  const unknown = { ...metrics, clicks: 0, clicksPrevious: null, clicksChange: 0, impressions: 0, ctr: 0, position: 0, isStored: false }
  for (const name of ['clicks', 'impressions', 'ctr', 'position'] as const) expect(metricView(unknown, name).value).toBe('–')
  expect(metricView({ ...unknown, isStored: true }, 'clicks').value).toBe('0')
})

test('without impressions there is no CTR, and none to compare', () => {
  const unseen = { ...metrics, impressions: 0, ctr: 0, ctrChange: 0 }
  expect(metricView(unseen, 'ctr')).toMatchObject({ value: '–', change: null, base: { values: '4.82% → –' } })
})

test('across days on which Google counted differently there is no change, but a reason; clicks are compared', () => {
  const edge = {
    ...metrics,
    impressionsPrevious: 30_000,
    impressionsChange: -33.3,
    current: { start: '2026-04-28', end: '2026-05-04' },
    previous: { start: '2026-04-21', end: '2026-04-27' },
  }
  for (const name of ['impressions', 'ctr', 'position'] as const) {
    expect(metricView(edge, name)).toMatchObject({ change: null, incomparable: expect.stringContaining('counted this differently') })
  }
  expect(metricView(edge, 'clicks')).toMatchObject({ change: -18.4, incomparable: null })
  // Web search's impressions were corrected then, nothing else.
  expect(metricView(edge, 'impressions', 'discover')).toMatchObject({ change: -33.3, incomparable: null })
})

test('a position changes by places, as the displayed figures do; without the previous one, by percent', () => {
  const moved = metricView({ ...metrics, position: 8.14, positionPrevious: 7.84 }, 'position')
  expect([moved.base?.values, moved.change?.toFixed(1)]).toEqual(['7.8 → 8.1', '0.3'])
  expect(metricView({ ...metrics, positionPrevious: undefined } as unknown as Metrics, 'position').change).toBe(1.2)
})

test('a rise from zero has no percentage', () => {
  expect(metricView({ ...metrics, clicksPrevious: 0, clicksChange: 0 }, 'clicks')).toMatchObject({
    change: null,
    base: { values: '0 → 983' },
  })
  expect(metricView({ ...metrics, clicks: 0, clicksPrevious: 0, clicksChange: 0 }, 'clicks')).toMatchObject({ change: 0 })
})

test('without earlier data there is no change, rather than a change of zero', () => {
  expect(metricView(metrics, 'impressions')).toMatchObject({ value: '20,000', change: null, base: null })
})

test('a day without impressions has no position: the line has a gap there', () => {
  const { points } = metricView({ ...metrics, clicksData: [0, 0], positionData: [0, 8.1] }, 'position')
  expect(points).toEqual([{ date: '2026-11-09', value: 8.1 }])
  expect(metricView({ ...metrics, clicksData: [0, 0] }, 'clicks').points).toHaveLength(2)
})

describe('an answer with only the fields of SPEC §3', () => {
  test('an empty one is four figures of 0', () => {
    const views = (['clicks', 'impressions', 'ctr', 'position'] as const).map((name) => metricView(metricsRead.parse({}), name))
    expect(views.map(({ value }) => value)).toEqual(['0', '0', '0.00%', '0.0'])
    expect(views).toMatchObject(Array.from({ length: 4 }, () => ({ change: 0, base: null, points: [] })))
  })

  test('is shown with its changes, and its days without their dates', () => {
    const read = metricsRead.parse({ clicks: 12, clicksChange: -20, clicksData: [5, 7] })
    expect(metricView(read, 'clicks')).toMatchObject({ value: '12', change: -20, base: null, dated: false })
    expect(metricView(read, 'clicks').points.map(({ value }) => value)).toEqual([5, 7])
  })
})
