import { hasPosition, type SearchType } from '../../contract/common.ts'

export const metricNames = ['clicks', 'impressions', 'ctr', 'position'] as const
export type MetricName = (typeof metricNames)[number]

export const metricLabels: Record<MetricName, string> = {
  clicks: 'Clicks',
  impressions: 'Impressions',
  ctr: 'CTR',
  position: 'Position',
}

/** A known figure; null for a position of 0, which means unknown, and for a CTR without impressions. */
export function knownFigure(metric: MetricName, figures: Readonly<Record<MetricName, number>>): number | null {
  const isUnknown = metric === 'position' ? figures.position === 0 : metric === 'ctr' && figures.impressions === 0
  return isUnknown ? null : figures[metric]
}

/** Whether Google has a metric for a search type. */
export const hasMetric = (type: SearchType, metric: MetricName): boolean => metric !== 'position' || hasPosition(type)

const usually: readonly MetricName[] = ['clicks', 'impressions']
const written = (shown: readonly MetricName[]): string => shown.join(',')

/** The metrics of a chart as in a URL: at least one, the usual ones without any. */
export function shownIn(metrics: string, type: SearchType): readonly MetricName[] {
  const named = metrics.split(',')
  const shown = metricNames.filter((each) => named.includes(each) && hasMetric(type, each))
  return shown.length === 0 ? usually : shown
}

/** In URL form; empty for the usual ones. */
export const writeShown = (shown: readonly MetricName[]): string => (written(shown) === written(usually) ? '' : written(shown))
