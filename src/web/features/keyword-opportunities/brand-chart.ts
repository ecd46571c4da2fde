import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { BrandSplit } from '../../../contract/brand.ts'
import { eachDay } from '../../../core/analytics/days.ts'
import type { ChartSeries } from '../../charts/chart-series.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels } from '../../lib/metric.ts'

type BrandMetric = 'clicks' | 'impressions'

const questions: Record<BrandMetric, string> = {
  clicks: 'Brand vs. non-brand clicks',
  impressions: 'Brand vs. non-brand impressions',
}

/** What the chart of brand and other keywords shows. */
export function brandChart(metric: BrandMetric, split: BrandSplit, { current, completeThrough }: AnalyticsSummary) {
  const { brandDays, nonBrandDays } = split
  const days = eachDay(current.start, current.end)
  // On a day with any keyword, the side that has none had nothing; on a day without any, nothing is known.
  const known = new Set([...brandDays, ...nonBrandDays].map(({ date }) => date))
  const series = (label: string, of: BrandSplit['brandDays'], muted: boolean): ChartSeries => {
    const values = new Map(of.map((day) => [day.date, day[metric]]))
    const points = days.map((date) => ({
      date,
      value: known.has(date) ? (values.get(date) ?? 0) : null,
      complete: date <= completeThrough,
    }))
    return { label, points, muted }
  }
  return {
    title: questions[metric],
    summary: `${metricLabels[metric]} by day, ${formatPeriod(current, true)}: ${formatMetric(metric, split.brand[metric])} from brand keywords, ${formatMetric(metric, split.nonBrand[metric])} from non-brand.`,
    series: [series('Brand', brandDays, false), series('Non-brand', nonBrandDays, true)],
  }
}
