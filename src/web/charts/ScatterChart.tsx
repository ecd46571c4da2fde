import { clsx } from 'clsx'
import { useMemo, useState } from 'react'
import { formatMetric } from '../lib/format.ts'
import { metricLabels, type MetricName } from '../lib/metric.ts'
import { ChartFigure, chartTipClass, EmptyChart } from './ChartFigure.tsx'
import { ChartSlider } from './ChartSlider.tsx'
import { ChartTable } from './ChartTable.tsx'
import { nearestPoint, type PlacedPoint, scatterHeight, type ScatterLayout, scatterLayout, type ScatterPoint } from './scatter-geometry.ts'
import { useSize } from './use-size.ts'

type ScatterChartProps = {
  /** What the chart shows: `Clicks by device`. */
  title: string
  /** A one-sentence summary for people who can't see it. */
  summary: string
  /** The figures that place the points. */
  x: MetricName
  y: MetricName
  points: readonly ScatterPoint[]
  /** What the points stand for: `Keyword`. */
  heading: string
  /** Shown instead if there is no data. */
  empty: string
}

/** Maximum distance between pointer and point, in pixels. */
const reach = 32

/** Points by two of their figures: for pointer, keyboard and screen readers, and as a table. */
export function ScatterChart({ title, summary, x, y, points, heading, empty }: ScatterChartProps) {
  const [ref, width] = useSize<HTMLDivElement>()
  const layout = useMemo(() => scatterLayout(points, { x, y }, width), [points, x, y, width])
  if (points.length === 0) return <EmptyChart title={title} empty={empty} />
  const table = (
    <ChartTable
      caption={title}
      heading={heading}
      columns={[metricLabels[y], metricLabels[x]]}
      rows={points.map((point) => ({ name: point.name, href: point.href, cells: [formatMetric(y, point.y), formatMetric(x, point.x)] }))}
    />
  )
  return (
    <ChartFigure title={title} summary={summary} table={table}>
      <div ref={ref} className="relative mt-2" style={{ height: scatterHeight }}>
        {layout && <ScatterPlot label={title} x={x} y={y} layout={layout} width={width} />}
      </div>
    </ChartFigure>
  )
}

type ScatterPlotProps = { label: string; x: MetricName; y: MetricName; layout: ScatterLayout; width: number }

function ScatterPlot({ label, x, y, layout, width }: ScatterPlotProps) {
  const [active, setActive] = useState<number | null>(null)
  const { box, points } = layout
  const last = points.length - 1
  // The keyboard starts at the top.
  const index = Math.min(active ?? last, last)
  const point = points[index]
  if (point === undefined) return null
  const lines: readonly [string, string][] = [
    [metricLabels[y], formatMetric(y, point.y)],
    [metricLabels[x], formatMetric(x, point.x)],
  ]
  return (
    <>
      <ScatterDrawing x={x} y={y} layout={layout} width={width} chosen={active === null ? null : point} />
      <ChartSlider
        label={label}
        valueText={`${point.name}: ${lines.map(([name, text]) => `${name} ${text}`).join(', ')}`}
        value={index}
        last={last}
        box={box}
        onPoint={(across, down) => setActive(nearestPoint(points, box.left + across * box.width, box.top + down * box.height, reach))}
        onStep={setActive}
        onArrive={() => setActive(last)}
        onLeave={() => setActive(null)}
      />
      {active !== null && <Tip point={point} lines={lines} layout={layout} />}
    </>
  )
}

function ScatterDrawing({ x, y, layout, width, chosen }: Omit<ScatterPlotProps, 'label'> & { chosen: PlacedPoint | null }) {
  const { box, points, xTicks, yTicks, tickY } = layout
  const bottom = box.top + box.height
  return (
    <svg aria-hidden width={width} height={scatterHeight} className="absolute inset-0 overflow-visible text-xs tabular-nums">
      <text x={0} y={12} className="fill-muted font-medium">
        {metricLabels[y]}
      </text>
      {yTicks.map(({ value, at, label }) => (
        <g key={value}>
          <line x1={box.left} x2={box.left + box.width} y1={at} y2={at} className="stroke-line" />
          <text x={box.left - 8} y={at} dy="0.35em" textAnchor="end" className="fill-muted">
            {label}
          </text>
        </g>
      ))}
      {xTicks.map(({ value, at, label }) => (
        <g key={value}>
          <line x1={at} x2={at} y1={box.top} y2={bottom} className={value === 0 ? 'stroke-line-control' : 'stroke-line'} />
          <text x={at} y={tickY} textAnchor="middle" className="fill-muted">
            {label}
          </text>
        </g>
      ))}
      <text x={box.left + box.width} y={tickY + 18} textAnchor="end" className="fill-muted font-medium">
        {metricLabels[x]}
      </text>
      {points.map(({ name, left, top }) => (
        <circle key={name} cx={left} cy={top} r={4.5} className="fill-brand/35 stroke-brand" />
      ))}
      {chosen && (
        <>
          <path
            d={`M${box.left} ${chosen.top}H${chosen.left}V${bottom}`}
            fill="none"
            strokeDasharray="2 4"
            className="stroke-line-control"
          />
          <circle cx={chosen.left} cy={chosen.top} r={6} className="fill-brand-strong stroke-surface stroke-2" />
        </>
      )}
    </svg>
  )
}

type TipProps = { point: PlacedPoint; lines: readonly [string, string][]; layout: ScatterLayout }

/** Follows the point while staying within the chart; above it, or below if there is more room. */
function Tip({ point: { name, left, top }, lines, layout: { box } }: TipProps) {
  const isHigh = top < box.top + box.height / 2
  const share = Math.min(1, Math.max(0, (left - box.left) / box.width))
  return (
    <div
      aria-hidden
      className={clsx('pointer-events-none absolute z-10 w-max', chartTipClass)}
      style={{
        left,
        top: top + (isHigh ? 12 : -12),
        translate: `${-100 * share}% ${isHigh ? '0' : '-100%'}`,
        maxWidth: Math.min(320, box.width),
      }}
    >
      <div className="wrap-anywhere">{name}</div>
      {lines.map(([label, text]) => (
        <div key={label}>
          {label}: <span className="font-semibold">{text}</span>
        </div>
      ))}
    </div>
  )
}
