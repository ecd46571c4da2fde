import { useMemo, useState } from 'react'
import type { IsoDate } from '../../../contract/common.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'
import type { MetricName } from '../../lib/metric.ts'
import type { ChartBand, ChartMark, ChartRange, ChartSeries } from './chart-series.ts'
import { ChartMarks } from './ChartMarks.tsx'
import { ChartSlider } from '../ChartSlider.tsx'
import { DayReading } from './DayReading.tsx'
import { dayAt, type Frame } from './geometry.ts'
import { layoutOf } from './layout.ts'
import { readingAt, spokenReading } from './reading.ts'
import { TimeSeriesDrawing } from './TimeSeriesDrawing.tsx'

type TimeSeriesPlotProps = {
  label: string
  metric: MetricName
  series: readonly ChartSeries[]
  bands: readonly ChartBand[]
  range: ChartRange | undefined
  marks: readonly ChartMark[] | undefined
  width: number
}

const noMarks: readonly ChartMark[] = []

export function TimeSeriesPlot({ label, metric, series, bands, range, marks, width }: TimeSeriesPlotProps) {
  const [active, setActive] = useState<IsoDate | null>(null)
  const hasMarks = marks !== undefined
  const layout = useMemo(() => layoutOf({ metric, series, bands, range, hasMarks, width }), [metric, series, bands, range, hasMarks, width])
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
