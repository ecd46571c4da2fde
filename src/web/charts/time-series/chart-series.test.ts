import { expect, test } from 'vitest'
import { type ChartSeries, datesOf, seriesNames } from './chart-series.ts'

const day = (label: string) => ({ label, points: [] })

test('days compared with themselves are two lines with two names, in the table and in the legend', () => {
  const days = '3–9 Nov 2026'
  const series: ChartSeries[] = (['clicks', 'impressions'] as const).flatMap((metric) => [
    { ...day(days), metric },
    { ...day(days), metric, muted: true },
  ])
  expect(seriesNames(series)).toEqual([
    `Clicks, ${days}`,
    `Clicks, ${days} (compared)`,
    `Impressions, ${days}`,
    `Impressions, ${days} (compared)`,
  ])
  expect(datesOf(series)).toEqual([
    { label: days, muted: false },
    { label: `${days} (compared)`, muted: true },
  ])
})

test('other days have just their dates', () => {
  const series: ChartSeries[] = [day('3–9 Nov 2026'), { ...day('27 Oct–2 Nov 2026'), muted: true }]
  expect(seriesNames(series)).toEqual(['3–9 Nov 2026', '27 Oct–2 Nov 2026'])
  expect(datesOf(series).map(({ label }) => label)).toEqual(seriesNames(series))
})
