import type { MetricName } from '../lib/metric.ts'

/** A chart's values from bottom to top; for positions the top is 1, the smallest. */
export type ValueAxis = { bottom: number; top: number; ticks: readonly number[] }

const intervals = 4

/** Round numbers that include all values. Counts and CTR start at zero; positions run downward from 1. */
export function valueAxis(metric: MetricName, values: readonly number[]): ValueAxis {
  const most = Math.max(0, ...values)
  if (metric === 'position') return positionAxis(most)
  const least = metric === 'ctr' ? 0.001 : 1
  const step = Math.max(least, niceStep(most / intervals))
  const steps = Math.max(1, Math.ceil(most / step - 1e-9))
  return { bottom: 0, top: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) }
}

/** Axes with shared grid lines: those from zero up get as many steps as the one with the most. */
export function withEqualSteps(axes: readonly ValueAxis[]): ValueAxis[] {
  const most = Math.max(0, ...axes.filter(({ bottom }) => bottom === 0).map(({ ticks }) => ticks.length))
  return axes.map((axis) => {
    const step = axis.ticks[1]
    if (axis.bottom !== 0 || step === undefined) return axis
    return { bottom: 0, top: step * (most - 1), ticks: Array.from({ length: most }, (_, index) => index * step) }
  })
}

/** The minimum depth of the axis: with only the first few positions, every line would look jittery. */
const fewestPlaces = 5

function positionAxis(most: number): ValueAxis {
  const step = Math.max(1, niceStep((Math.max(most, fewestPlaces) - 1) / intervals))
  // Small steps count from 1; for large ones, multiples are the round numbers.
  const zero = step < 5 ? 1 : 0
  const last = zero + Math.max(1, Math.ceil((Math.max(most, fewestPlaces) - zero) / step - 1e-9)) * step
  const below = Array.from({ length: Math.round((last - zero) / step) }, (_, index) => zero + (index + 1) * step)
  return { bottom: last, top: 1, ticks: [1, ...below] }
}

/** The smallest sufficient value that is 1, 2 or 5 times a power of ten. */
function niceStep(wanted: number): number {
  if (wanted <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(wanted))
  return ([1, 2, 5].find((factor) => factor * power >= wanted - 1e-12) ?? 10) * power
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 })

/** In an axis's short form: `1.5K`, `2.5%`, `10`. */
export const formatTick = (metric: MetricName, value: number): string => (metric === 'ctr' ? percent : compact).format(value)
