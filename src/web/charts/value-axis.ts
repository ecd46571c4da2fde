import type { MetricName } from '../lib/metric.ts'

/** Values of a chart from its bottom to its top; of positions the top is 1, the least. */
export type ValueAxis = { bottom: number; top: number; ticks: readonly number[] }

const intervals = 4

/** Round numbers that hold all values. Counts and CTR begin at zero; positions run downwards from 1 (LOOK "Numbers"). */
export function valueAxis(metric: MetricName, values: readonly number[]): ValueAxis {
  const most = Math.max(0, ...values)
  if (metric === 'position') return positionAxis(most)
  const least = metric === 'ctr' ? 0.001 : 1
  const step = Math.max(least, niceStep(most / intervals))
  const steps = Math.max(1, Math.ceil(most / step - 1e-9))
  return { bottom: 0, top: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) }
}

/** Axes beside each other, whose lines across the chart are the same: those from zero up get as many steps as the one that has most. */
export function withEqualSteps(axes: readonly ValueAxis[]): ValueAxis[] {
  const most = Math.max(0, ...axes.filter(({ bottom }) => bottom === 0).map(({ ticks }) => ticks.length))
  return axes.map((axis) => {
    const step = axis.ticks[1]
    if (axis.bottom !== 0 || step === undefined) return axis
    return { bottom: 0, top: step * (most - 1), ticks: Array.from({ length: most }, (_, index) => index * step) }
  })
}

/** Where it goes down to at least: among the first places every line would look restless. */
const fewestPlaces = 5

function positionAxis(most: number): ValueAxis {
  const step = Math.max(1, niceStep((Math.max(most, fewestPlaces) - 1) / intervals))
  // Small steps are counted from 1; of large ones the multiples are the round numbers.
  const zero = step < 5 ? 1 : 0
  const last = zero + Math.max(1, Math.ceil((Math.max(most, fewestPlaces) - zero) / step - 1e-9)) * step
  const below = Array.from({ length: Math.round((last - zero) / step) }, (_, index) => zero + (index + 1) * step)
  return { bottom: last, top: 1, ticks: [1, ...below] }
}

/** 1, 2 or 5 of some power of ten, the least that is enough. */
function niceStep(wanted: number): number {
  if (wanted <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(wanted))
  return ([1, 2, 5].find((factor) => factor * power >= wanted - 1e-12) ?? 10) * power
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 })

/** As short as an axis wants it: `1.5K`, `2.5%`, `10`. */
export const formatTick = (metric: MetricName, value: number): string => (metric === 'ctr' ? percent : compact).format(value)
