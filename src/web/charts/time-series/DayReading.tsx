import { clsx } from 'clsx'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { chartTipClass } from '../chart-tip.ts'
import { metricColors } from '../metric-color.ts'
import { type Frame, middleOf, yOf } from './geometry.ts'
import type { Reading } from './reading.ts'

type DayReadingProps = { metric: MetricName; reading: Reading; frame: Frame; frames: readonly Frame[]; isCompared: boolean }

/** A line at the selected day with its figures next to it, on the side with more room. */
export function DayReading({ metric, reading, frame, frames, isCompared }: DayReadingProps) {
  const x = middleOf(frame, reading)
  const isLeft = x - frame.left > frame.width / 2
  return (
    <div aria-hidden className="pointer-events-none">
      <div className="absolute w-px bg-line-control" style={{ left: x, top: frame.top, height: frame.height }} />
      {reading.lines.map(
        ({ label, day, value, muted, metric: own }, index) =>
          value !== null && (
            <div
              key={`${label} ${day}`}
              className={clsx(
                'absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface',
                own !== undefined ? metricColors[own].bg : muted ? 'bg-muted' : 'bg-brand',
              )}
              style={{ left: x, top: yOf(frames[index] ?? frame, value) }}
            />
          ),
      )}
      <div
        className={clsx('absolute z-10 w-max max-w-60', chartTipClass)}
        style={{ top: frame.top + 4, left: x + (isLeft ? -8 : 8), translate: isLeft ? '-100% 0' : undefined }}
      >
        <div>{reading.day}</div>
        {reading.lines.map(({ label, day, text, muted, metric: own }) => (
          <div key={`${label} ${day}`}>
            {own !== undefined
              ? // Each metric, followed by what it is compared with.
                `${muted ? day : label}: `
              : isCompared
                ? `${label === null ? day : `${label}, ${day}`}: `
                : `${metricLabels[metric]}: `}
            <span className="font-semibold">{text}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
