import { clsx } from 'clsx'
import { placePoints, type Point, splitAtGaps } from './sparkline-geometry.ts'

type TrendLineProps = { label: string; points: readonly Point[]; className?: string }

// Drawn in units stretched to the available room; strokes don't stretch.
const width = 100
const height = 28
const pad = 2

/** A line from zero up for a table row: its shape shows the trend, the figures are next to it. */
export function TrendLine({ label, points, className }: TrendLineProps) {
  const most = Math.max(0, ...points.map(({ value }) => value))
  const y = (value: number): number => pad + (1 - (most === 0 ? 0 : value / most)) * (height - 2 * pad)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={clsx('h-7 w-full', className)}
    >
      {splitAtGaps(placePoints(points, false)).map((run) => {
        const line = run.map((point, index) => `${index === 0 ? 'M' : 'L'}${point.x * width} ${y(point.value)}`).join('')
        const [first, last] = [run[0], run.at(-1)]
        return (
          <g key={first?.date}>
            {first !== last && <path d={`${line}V${height}H${(first?.x ?? 0) * width}Z`} className="fill-brand/8" />}
            {/* A single day has no length; the round cap makes it a dot. */}
            <path
              d={first === last ? `${line}h0.01` : line}
              fill="none"
              vectorEffect="non-scaling-stroke"
              strokeLinecap="round"
              strokeLinejoin="round"
              className="stroke-brand stroke-[1.5]"
            />
          </g>
        )
      })}
    </svg>
  )
}
