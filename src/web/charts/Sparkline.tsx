import { clsx } from 'clsx'
import { useState, type PointerEvent } from 'react'
import { earlier } from '../../core/analytics/days.ts'
import { formatDayBy } from '../lib/dates.ts'
import { useNow } from '../lib/hooks/use-now.ts'
import type { ChartMark } from './time-series/chart-series.ts'
import { marksOn } from './time-series/copy.ts'
import { nearestIndex, placeOf, placePoints, splitAtGaps, type Placed, type Point } from './sparkline-geometry.ts'

type SparklineProps = {
  label: string
  points: readonly Point[]
  format: (value: number) => string
  /** The smallest value at the top, as for positions. */
  inverted?: boolean
  /** Shown instead of dates if the values' days are unknown. */
  undated?: string
  /** Shown with the figures of their days; where there is room for a legend, with a tick each below the line. */
  marks?: readonly ChartMark[]
  /** Lower, and without the days below. */
  small?: boolean
}

const noMarks: readonly ChartMark[] = []

// Drawn in units stretched to the card's width; strokes don't stretch.
const width = 100
const height = 48
const pad = 4

/** A small line that shows each day's value: to the pointer, and to keyboard and screen readers as a slider over the days. */
export function Sparkline({ label, points, format, inverted = false, undated, marks = noMarks, small = false }: SparklineProps) {
  const [active, setActive] = useState<number | null>(null)
  const now = useNow()
  const placed = placePoints(points, inverted)
  const lastIndex = placed.length - 1
  const index = Math.min(active ?? lastIndex, lastIndex)
  const point = placed[index]
  const [first, last] = [placed[0], placed.at(-1)]
  if (point === undefined || first === undefined || last === undefined) return <div className={small ? 'h-8' : 'h-17.5'} />

  const day = undated === undefined ? formatDayBy(point.date, now) : null
  const labels = marksOn(marks, point.date).map((mark) => mark.label)

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    setActive(nearestIndex(placed, (event.clientX - box.left) / box.width))
  }

  return (
    <div className="@container">
      <div
        role="presentation"
        className={clsx(
          'relative touch-pan-y rounded-md focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand',
          small ? 'h-8' : 'h-12',
        )}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setActive(null)}
      >
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden className="size-full overflow-visible">
          {splitAtGaps(placed).map((run) => (
            <Run key={run[0]?.date} run={run} area={!inverted} />
          ))}
        </svg>
        {!small && <Ticks marks={marks} first={first} last={last} />}
        {active !== null && <Marker point={point} day={day} text={format(point.value)} labels={labels} />}
        <input
          type="range"
          aria-label={label}
          aria-valuetext={[`${day ?? `${index + 1} of ${placed.length}`}: ${format(point.value)}`, ...labels].join('; ')}
          min={0}
          max={lastIndex}
          value={index}
          className="pointer-events-none absolute inset-0 opacity-0"
          onChange={(event) => setActive(event.currentTarget.valueAsNumber)}
          onFocus={() => setActive(lastIndex)}
          onBlur={() => setActive(null)}
        />
      </div>
      {!small && (
        <div aria-hidden className="mt-1.5 flex h-4 justify-between text-xs text-muted tabular-nums">
          <span>{undated ?? formatDayBy(first.date, now)}</span>
          <TicksKey marks={marks.filter(({ date }) => isWithin(date, first, last))} />
          {last !== first && undated === undefined && <span>{formatDayBy(last.date, now)}</span>}
        </div>
      )}
    </div>
  )
}

/** `area`: shaded down to the bottom, which is meaningless unless the bottom is the small end. */
function Run({ run, area }: { run: readonly Placed[]; area: boolean }) {
  const first = run[0]
  const last = run.at(-1)
  if (first === undefined || last === undefined) return null
  const line = run.map((point, index) => `${index === 0 ? 'M' : 'L'}${column(point)} ${row(point)}`).join('')
  return (
    <>
      {area && run.length > 1 && <path d={`${line}V${height}H${column(first)}Z`} className="fill-brand/8" />}
      {/* A single day has no length; the round cap makes it a dot. */}
      <path
        d={run.length > 1 ? line : `${line}h0.01`}
        fill="none"
        vectorEffect="non-scaling-stroke"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-brand stroke-[1.75]"
      />
    </>
  )
}

const isWithin = (date: string, first: Placed, last: Placed): boolean => first.date <= date && date <= last.date

/** The legend for the ticks, in between the days: hidden along with them if there is no room. */
function TicksKey({ marks }: { marks: readonly ChartMark[] }) {
  const [kind, ...others] = new Set(marks.map((mark) => mark.kind))
  if (kind === undefined) return null
  return (
    <span data-key className="hidden items-center gap-1.5 @3xs:inline-flex">
      <span className="h-0.5 w-3 rounded-full bg-muted" />
      {others.length === 0 ? kind : 'Events'}
    </span>
  )
}

/** Where something happened: short strokes on the lower edge, or a bar for its duration. */
function Ticks({ marks, first, last }: { marks: readonly ChartMark[]; first: Placed; last: Placed }) {
  return marks.map(({ date, label, span }) => {
    if (!isWithin(date, first, last)) return null
    const end = span === undefined ? date : earlier(span.end ?? last.date, last.date)
    const left = placeOf(date, first, last)
    return (
      <div
        key={`${date} ${label}`}
        aria-hidden
        data-mark
        className={clsx(
          'pointer-events-none absolute top-full hidden rounded-full bg-muted @3xs:block',
          end > date ? 'h-0.5' : 'h-1.5 w-0.75 -translate-x-1/2',
        )}
        style={{ left: `${left * 100}%`, ...(end > date ? { width: `${(placeOf(end, first, last) - left) * 100}%` } : {}) }}
      />
    )
  })
}

function Marker({ point, day, text, labels }: { point: Placed; day: string | null; text: string; labels: readonly string[] }) {
  const left = `${point.x * 100}%`
  return (
    <div aria-hidden className="pointer-events-none">
      <div className="absolute inset-y-0 w-px bg-line-control" style={{ left }} />
      <div
        className="absolute size-2 -translate-1/2 rounded-full border-2 border-surface bg-brand"
        style={{ left, top: `${(row(point) / height) * 100}%` }}
      />
      {/* Follows the point while staying within the card. */}
      <div
        className="absolute bottom-full mb-1 z-10 w-max max-w-60 rounded-md bg-text px-2 py-1 text-xs text-page tabular-nums shadow-float"
        style={{ left, translate: `${-point.x * 100}% 0` }}
      >
        <div>
          {day !== null && `${day}: `}
          <span className="font-semibold">{text}</span>
        </div>
        {labels.map((each) => (
          <div key={each} className="wrap-anywhere">
            {each}
          </div>
        ))}
      </div>
    </div>
  )
}

function column(point: Placed): number {
  return point.x * width
}

function row(point: Placed): number {
  return pad + point.y * (height - 2 * pad)
}
