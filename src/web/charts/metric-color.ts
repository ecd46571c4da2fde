import type { MetricName } from '../lib/metric.ts'

/** A metric's color in charts with several. */
export const metricColors: Record<
  MetricName,
  { stroke: string; fill: string; area: string; range: string; rangeBg: string; bg: string; border: string }
> = {
  clicks: {
    stroke: 'stroke-clicks',
    fill: 'fill-clicks',
    area: 'fill-clicks/6',
    range: 'fill-clicks/12',
    rangeBg: 'bg-clicks/12',
    bg: 'bg-clicks',
    border: 'border-clicks',
  },
  impressions: {
    stroke: 'stroke-impressions',
    fill: 'fill-impressions',
    area: 'fill-impressions/6',
    range: 'fill-impressions/12',
    rangeBg: 'bg-impressions/12',
    bg: 'bg-impressions',
    border: 'border-impressions',
  },
  ctr: {
    stroke: 'stroke-ctr',
    fill: 'fill-ctr',
    area: 'fill-ctr/6',
    range: 'fill-ctr/12',
    rangeBg: 'bg-ctr/12',
    bg: 'bg-ctr',
    border: 'border-ctr',
  },
  position: {
    stroke: 'stroke-position',
    fill: 'fill-position',
    area: 'fill-position/6',
    range: 'fill-position/12',
    rangeBg: 'bg-position/12',
    bg: 'bg-position',
    border: 'border-position',
  },
}
