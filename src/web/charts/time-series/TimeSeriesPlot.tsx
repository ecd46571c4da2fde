import { clsx } from 'clsx'
import { useMemo, useState } from 'react'
import type { IsoDate } from '../../../contract/common.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { chartTipClass } from '../ChartFigure.tsx'
import { metricColors } from '../metric-color.ts'
import type { ChartBand, ChartMark, ChartRange, ChartSeries } from './chart-series.ts'
import { ChartSlider } from '../ChartSlider.tsx'
import { markText } from './copy.ts'
import { dayAt, type Frame, groupMarks, middleOf, yOf } from './geometry.ts'
import { layoutOf } from './layout.ts'
import { type Reading, readingAt, spokenReading } from './reading.ts'
import { TimeSeriesDrawing } from './TimeSeriesDrawing.tsx'

type TimeSeriesPlotProps = {
  label: string
  metric: MetricName
  series: readonly ChartSeries[]
  bands: readonly ChartBand[]
  range: ChartRange | undefined
  marks: readonly ChartMark[] | undefined
  width: number
  height: number
}

const noMarks: readonly ChartMark[] = []

export function TimeSeriesPlot({ label, metric, series, bands, range, marks, width, height }: TimeSeriesPlotProps) {
  const [active, setActive] = useState<IsoDate | null>(null)
  const hasMarks = marks !== undefined
  const layout = useMemo(
    () => layoutOf({ metric, series, bands, range, hasMarks, width, height }),
    [metric, series, bands, range, hasMarks, width, height],
  )
  if (layout === null) return null
  const { frame } = layout
  const reading = active === null ? null : readingAt(metric, series, active, range)
  return (
    <>
      <TimeSeriesDrawing layout={layout} width={width} series={series} range={range} marks={marks ?? noMarks} />
      {reading && (
        <DayReading
          metric={metric}
          reading={reading}
          frame={frame}
          frames={layout.frames}
          isCompared={series.length > 1 || range !== undefined}
        />
      )}
      <DaySlider
        label={label}
        frame={frame}
        stops={stopsOf(series)}
        active={active}
        valueText={(date) => spokenReading(metric, readingAt(metric, series, date, range))}
        lastKnown={lastKnown(series) ?? frame.first}
        onActive={setActive}
      />
      {marks && <ChartMarks frame={frame} y={layout.marksY} marks={marks} />}
    </>
  )
}

type DaySliderProps = {
  label: string
  frame: Frame
  /** The keyboard's stops; every day if null. */
  stops: readonly IsoDate[] | null
  active: IsoDate | null
  valueText: (date: IsoDate) => string
  /** Where the keyboard starts. */
  lastKnown: IsoDate
  onActive: (date: IsoDate | null) => void
}

function DaySlider({ label, frame, stops, active, valueText, lastKnown: start, onActive }: DaySliderProps) {
  const { left, top, width, height, first, days } = frame
  const date = active ?? start
  return (
    <ChartSlider
      label={label}
      valueText={valueText(date)}
      value={
        stops === null
          ? dayNumber(date) - dayNumber(first)
          : Math.max(
              0,
              stops.findLastIndex((stop) => stop <= date),
            )
      }
      last={(stops?.length ?? days) - 1}
      box={{ left, top, width, height }}
      onPoint={(x) => onActive(dayAt(frame, x))}
      onStep={(step) => onActive(stops?.[step] ?? addDays(first, step))}
      onArrive={() => onActive(start)}
      onLeave={() => onActive(null)}
    />
  )
}

/** Weeks and months are visited one by one. */
const stopsOf = ([first]: readonly ChartSeries[]): IsoDate[] | null =>
  first?.points.some(({ end }) => end !== undefined) ? first.points.map(({ date }) => date) : null

/** The last day with a known figure on the chart's main line. */
const lastKnown = ([first]: readonly ChartSeries[]): IsoDate | undefined =>
  (first?.points.findLast(({ value }) => value !== null) ?? first?.points.at(-1))?.date

type DayReadingProps = { metric: MetricName; reading: Reading; frame: Frame; frames: readonly Frame[]; isCompared: boolean }

/** A line at the selected day with its figures next to it, on the side with more room. */
function DayReading({ metric, reading, frame, frames, isCompared }: DayReadingProps) {
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

/** A finger's width; marks closer together are merged. */
const markSize = 40

type ChartMarksProps = { frame: Frame; y: number; marks: readonly ChartMark[] }

/** Events on the time axis: each opens on hover, focus and tap; Escape closes it. */
function ChartMarks({ frame, y, marks }: ChartMarksProps) {
  const [open, setOpen] = useState<number | null>(null)
  return groupMarks(frame, marks, markSize).map(({ x, marks: group }, index) => {
    const [first] = group
    if (first === undefined) return null
    const texts = group.map(markText)
    return (
      <div key={`${first.date} ${first.label}`}>
        <button
          type="button"
          // Includes the count, which is all that a group shows.
          aria-label={(group.length > 1 ? `${group.length} events: ` : '') + texts.join('; ')}
          className="absolute grid -translate-1/2 place-items-center rounded-full text-muted hover:text-text"
          style={{ left: x, top: y, width: markSize, height: markSize }}
          onPointerEnter={(event) => {
            if (event.pointerType === 'mouse') setOpen(index)
          }}
          onPointerLeave={(event) => {
            if (event.pointerType === 'mouse') setOpen(null)
          }}
          onFocus={() => setOpen(index)}
          onClick={() => setOpen(index)}
          onBlur={() => setOpen(null)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(null)
          }}
        >
          <span className="grid h-6 min-w-6 place-items-center rounded-full border border-line-control bg-surface px-1 text-xs font-semibold">
            {group.length === 1 ? <first.Icon aria-hidden className="size-3.5" /> : group.length}
          </span>
        </button>
        {open === index && (
          <div
            role="tooltip"
            className={clsx('pointer-events-none absolute z-10 w-max max-w-60', chartTipClass)}
            style={{ left: x, top: y - markSize / 2, translate: `${-100 * shareOf(frame, x)}% -100%` }}
          >
            {texts.map((text) => (
              <div key={text} className="wrap-anywhere">
                {text}
              </div>
            ))}
          </div>
        )}
      </div>
    )
  })
}

/** How far to the right a place is: its tooltip moves along while staying within the chart. */
const shareOf = ({ left, width }: Frame, x: number): number => (x - left) / width
