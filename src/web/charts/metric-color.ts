import type { MetricName } from '../lib/metric.ts'

/** The color of a metric where several stand in one chart, on whatever it is used. */
export const metricColors: Record<MetricName, { stroke: string; fill: string; area: string; bg: string; border: string }> = {
  clicks: {
    stroke: 'stroke-clicks',
    fill: 'fill-clicks',
    area: 'fill-clicks/6',
    bg: 'bg-clicks',
    border: 'border-clicks',
  },
  impressions: {
    stroke: 'stroke-impressions',
    fill: 'fill-impressions',
    area: 'fill-impressions/6',
    bg: 'bg-impressions',
    border: 'border-impressions',
  },
  ctr: {
    stroke: 'stroke-ctr',
    fill: 'fill-ctr',
    area: 'fill-ctr/6',
    bg: 'bg-ctr',
    border: 'border-ctr',
  },
  position: {
    stroke: 'stroke-position',
    fill: 'fill-position',
    area: 'fill-position/6',
    bg: 'bg-position',
    border: 'border-position',
  },
}
