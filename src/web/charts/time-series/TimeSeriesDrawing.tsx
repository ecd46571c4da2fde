import { clsx } from 'clsx'
import type { IsoDate } from '../../../contract/common.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { type ChartMark, type ChartRange, type ChartSeries, seriesNames } from './chart-series.ts'
import { markText } from './copy.ts'
import { metricColors } from '../metric-color.ts'
import { bandOf, drawnOf, type Frame, middleOf, type Run, runsOf, xOf, yOf } from './geometry.ts'
import { unfinished } from './reading.ts'
import type { Layout } from './layout.ts'

type TimeSeriesDrawingProps = {
  layout: Layout
  width: number
  series: readonly ChartSeries[]
  range: ChartRange | undefined
  marks: readonly ChartMark[]
}

/** Purely visual: the slider, the marks and the table have the same information. */
export function TimeSeriesDrawing({ layout, width, series, range, marks }: TimeSeriesDrawingProps) {
  const { frame, frames, height, metrics } = layout
  const names = seriesNames(series)
  const hasColors = series[0]?.metric !== undefined
  const tickClass = (axis: number) => (hasColors ? metricColors[metrics[axis] ?? 'clicks'].fill : 'fill-muted')
  const isSingle = series.length === 1 && range === undefined && frame.axis.bottom === 0
  return (
    <svg aria-hidden width={width} height={height} className="absolute inset-0 overflow-visible text-xs tabular-nums">
      <Bands layout={layout} />
      {layout.valueTicks.map(({ value, y, label }) => (
        <g key={value}>
          <line
            x1={frame.left}
            x2={frame.left + frame.width}
            y1={y}
            y2={y}
            className={value === frame.axis.bottom ? 'stroke-line-control' : 'stroke-line'}
          />
          <text x={frame.left - 8} y={y} dy="0.35em" textAnchor="end" className={tickClass(0)}>
            {label}
          </text>
        </g>
      ))}
      {layout.rightTicks.map(({ value, y, label }) => (
        <text key={value} x={frame.left + frame.width + 8} y={y} dy="0.35em" className={tickClass(1)}>
          {label}
        </text>
      ))}
      {layout.dateTicks.map(({ date, label, x }) => (
        <text key={date} x={x} y={layout.dateY} textAnchor="middle" className="fill-muted">
          {label}
        </text>
      ))}
      {range && <Expected range={range} frame={frames[series.findIndex((each) => each.metric === range.metric)] ?? frame} />}
      <Marks marks={marks} frame={frame} />
      {series
        .map((each, index) => (
          <g key={names[index]}>
            {runsOf(each.points).map((run) => (
              <Line key={run.points[0]?.date} run={run} frame={frames[index] ?? frame} of={each} area={isSingle} />
            ))}
          </g>
        ))
        .toReversed()}
      {series[0] && <Preliminary runs={runsOf(series[0].points)} frame={frame} />}
      {layout.ends.map(({ label, muted, y }) => (
        <text key={`${muted} ${label}`} x={frame.left + frame.width + 8} y={y} dy="0.35em" className={muted ? 'fill-muted' : 'fill-brand'}>
          {label}
        </text>
      ))}
    </svg>
  )
}

/** The range of ordinary days and its middle; days without an expectation interrupt it. */
function Expected({ range: { days, metric }, frame }: { range: ChartRange; frame: Frame }) {
  const pieces: ChartRange['days'][number][][] = []
  for (const day of days) {
    const piece = pieces.at(-1)
    const last = piece?.at(-1)
    if (piece && last && addDays(last.date, 1) === day.date) piece.push(day)
    else pieces.push([day])
  }
  return pieces.map((piece) => {
    const path = (value: 'low' | 'high' | 'expected', of = piece) =>
      of.map((day) => `${xOf(frame, day.date)} ${yOf(frame, day[value])}`).join('L')
    return (
      <g key={piece[0]?.date}>
        <path d={`M${path('high')}L${path('low', piece.toReversed())}Z`} className={metric ? metricColors[metric].range : 'fill-text/10'} />
        <path
          d={`M${path('expected')}`}
          fill="none"
          strokeDasharray="3 3"
          className={metric ? metricColors[metric].stroke : 'stroke-muted'}
        />
      </g>
    )
  })
}

/** A line at the day of each mark, and a bar along the axis for its duration. */
function Marks({ marks, frame }: { marks: readonly ChartMark[]; frame: Frame }) {
  const bottom = frame.top + frame.height
  const last = addDays(frame.first, frame.days - 1)
  return marks.map((mark) => {
    const { date, span } = mark
    const place = bandOf(frame, { start: date, end: date })
    const lasted = span === undefined ? null : bandOf(frame, { start: date, end: span.end ?? last })
    return (
      <g key={markText(mark)}>
        {place && (
          <line
            x1={xOf(frame, date)}
            x2={xOf(frame, date)}
            y1={frame.top}
            y2={bottom + 8}
            strokeDasharray="2 4"
            className="stroke-line-control"
          />
        )}
        {lasted && <rect x={lasted.x} y={bottom + 1} width={lasted.width} height={3} rx={1.5} className="fill-line-control" />}
      </g>
    )
  })
}

function Bands({ layout: { bands, frame } }: { layout: Layout }) {
  return bands.map(({ band: { label, tone }, x, width, labelX, labelY, anchor }) => (
    <g key={label}>
      <rect x={x} y={frame.top} width={width} height={frame.height} className={tone === 'current' ? 'fill-brand/12' : 'fill-text/6'} />
      <line
        x1={x}
        x2={x + width}
        y1={frame.top}
        y2={frame.top}
        className={clsx('stroke-2', tone === 'current' ? 'stroke-brand' : 'stroke-muted')}
      />
      <text x={labelX} y={labelY} textAnchor={anchor} className={clsx('font-medium', tone === 'current' ? 'fill-brand' : 'fill-muted')}>
        {label}
      </text>
    </g>
  ))
}

type LineProps = { run: Run; frame: Frame; of: ChartSeries; area: boolean }

function Line({ run: { points, preliminary }, frame, of: { muted = false, shift = 0, metric }, area }: LineProps) {
  const moved = (date: IsoDate) => (shift === 0 ? date : addDays(date, shift))
  const places = points.map(({ date, end = date, value }) => ({
    x: middleOf(frame, { date: moved(date), end: moved(end) }),
    y: yOf(frame, value),
  }))
  const path = drawnOf(places)
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`)
    .join('')
  const [first] = places
  if (first === undefined) return null
  const bottom = frame.top + frame.height
  return (
    <>
      {area && points.length > 1 && (
        <path d={`${path}V${bottom}H${first.x}Z`} className={metric ? metricColors[metric].area : 'fill-brand/6'} />
      )}
      {/* A single day has no length; the round cap makes it a dot. */}
      <path
        d={points.length > 1 ? path : `${path}h0.01`}
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeDasharray={preliminary ? '0.1 5' : muted ? '5 5' : undefined}
        className={clsx(
          points.length === 1 ? 'stroke-4' : muted && metric ? 'stroke-[1.5]' : 'stroke-2',
          metric ? metricColors[metric].stroke : muted ? 'stroke-muted' : 'stroke-brand',
        )}
      />
    </>
  )
}

/** Labels the dotted part, above or below it, wherever the line isn't. */
function Preliminary({ runs, frame }: { runs: readonly Run[]; frame: Frame }) {
  const last = runs.findLast(({ preliminary }) => preliminary)?.points.at(-1)
  if (last === undefined) return null
  const isLow = yOf(frame, last.value) > frame.top + frame.height / 2
  return (
    <text
      x={Math.min(middleOf(frame, last) + 6, frame.left + frame.width)}
      y={isLow ? frame.top + 14 : frame.top + frame.height - 8}
      textAnchor="end"
      className="fill-muted stroke-surface stroke-4 [paint-order:stroke]"
    >
      {unfinished(last)}
    </text>
  )
}
