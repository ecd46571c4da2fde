import { useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { IsoDate } from '../../contract/common.ts'
import { addDays, dayNumber } from '../../core/analytics/days.ts'
import type { MetricName } from '../lib/metric.ts'
import type { ChartBand, ChartMark, ChartSeries } from './chart-series.ts'
import { ChartMarks } from './ChartMarks.tsx'
import { DayReading } from './DayReading.tsx'
import { dayAt, type Frame } from './time-series-geometry.ts'
import { layoutOf } from './time-series-layout.ts'
import { readingAt, spokenReading } from './time-series-reading.ts'
import { TimeSeriesDrawing } from './TimeSeriesDrawing.tsx'

type TimeSeriesPlotProps = {
  label: string
  metric: MetricName
  series: readonly ChartSeries[]
  bands: readonly ChartBand[]
  marks: readonly ChartMark[]
  width: number
}

export function TimeSeriesPlot({ label, metric, series, bands, marks, width }: TimeSeriesPlotProps) {
  const [active, setActive] = useState<IsoDate | null>(null)
  const hasMarks = marks.length > 0
  const layout = useMemo(() => layoutOf({ metric, series, bands, hasMarks, width }), [metric, series, bands, hasMarks, width])
  if (layout === null) return null
  const { frame } = layout
  const reading = active === null ? null : readingAt(metric, series, active)
  return (
    <>
      <TimeSeriesDrawing layout={layout} width={width} series={series} marks={marks} />
      {reading && <DayReading metric={metric} reading={reading} frame={frame} isCompared={series.length > 1} />}
      <DaySlider
        label={label}
        frame={frame}
        active={active}
        valueText={(date) => spokenReading(metric, readingAt(metric, series, date))}
        lastKnown={lastKnown(series) ?? frame.first}
        onActive={setActive}
      />
      {hasMarks && <ChartMarks frame={frame} y={layout.marksY} marks={marks} />}
    </>
  )
}

type DaySliderProps = {
  label: string
  frame: Frame
  active: IsoDate | null
  valueText: (date: IsoDate) => string
  /** Where the keyboard begins. */
  lastKnown: IsoDate
  onActive: (date: IsoDate | null) => void
}

/** Lies over the lines: the pointer chooses a day by being there, the arrow keys as on a slider. */
function DaySlider({ label, frame, active, valueText, lastKnown: start, onActive }: DaySliderProps) {
  const { left, top, width, height, first, days } = frame
  const date = active ?? start

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    onActive(dayAt(frame, (event.clientX - box.left) / box.width))
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') onActive(null)
  }

  return (
    <div
      role="presentation"
      className="absolute touch-pan-y rounded-sm focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand"
      style={{ left, top, width, height }}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={(event) => {
        // A finger that is lifted has chosen its day.
        if (event.pointerType === 'mouse') onActive(null)
      }}
    >
      <input
        type="range"
        aria-label={label}
        aria-valuetext={valueText(date)}
        min={0}
        max={days - 1}
        value={dayNumber(date) - dayNumber(first)}
        className="pointer-events-none absolute inset-0 size-full opacity-0"
        onChange={(event) => onActive(addDays(first, event.currentTarget.valueAsNumber))}
        onFocus={() => onActive(start)}
        onBlur={() => onActive(null)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

/** The last day whose figure is known, of the line that the chart is about. */
const lastKnown = ([first]: readonly ChartSeries[]): IsoDate | undefined =>
  (first?.points.findLast(({ value }) => value !== null) ?? first?.points.at(-1))?.date
