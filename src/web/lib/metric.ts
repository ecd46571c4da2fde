export const metricNames = ['clicks', 'impressions', 'ctr', 'position'] as const
export type MetricName = (typeof metricNames)[number]

export const metricLabels: Record<MetricName, string> = {
  clicks: 'Clicks',
  impressions: 'Impressions',
  ctr: 'CTR',
  position: 'Position',
}

/** A known figure; null for a position of 0, which means unknown. */
export const knownFigure = (metric: MetricName, figures: Readonly<Record<MetricName, number>>): number | null =>
  metric === 'position' && figures.position === 0 ? null : figures[metric]
