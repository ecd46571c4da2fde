export const metricNames = ['clicks', 'impressions', 'ctr', 'position'] as const
export type MetricName = (typeof metricNames)[number]

export const metricLabels: Record<MetricName, string> = {
  clicks: 'Clicks',
  impressions: 'Impressions',
  ctr: 'CTR',
  position: 'Position',
}
