import { clsx } from 'clsx'
import { useState } from 'react'
import { ChartFigure, chartTipClass, EmptyChart } from '../ChartFigure.tsx'
import { ChartSlider } from '../ChartSlider.tsx'
import { ChartTable } from '../ChartTable.tsx'
import { drawnSlice, sliceAt, slicesOf } from './donut-geometry.ts'

export type Part = { label: string; value: number }

type DonutChartProps = {
  /** What the chart shows: `Clicks by device`. */
  title: string
  /** A one-sentence summary for people who can't see it. */
  summary: string
  /** At most four in display order, from the strongest color to the weakest. */
  parts: readonly Part[]
  format: (value: number) => string
  /** What is counted: `Keywords`. */
  valueLabel: string
  /** What the parts stand for: `Position`. */
  heading: string
  /** Shown instead if there is no data. */
  empty: string
}

const size = 184
const thickness = 30
const radius = (size - thickness) / 2 - 3
const strokes = ['stroke-chart-1', 'stroke-chart-2', 'stroke-chart-3', 'stroke-chart-4']
const swatches = ['bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4']

const percent = new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Parts of a whole, as a ring with their names and figures next to it. */
export function DonutChart({ title, summary, parts, format, valueLabel, heading, empty }: DonutChartProps) {
  const slices = slicesOf(parts.map(({ value }) => value))
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const rows = parts.map(({ label, value }, index) => ({ label, value: format(value), share: percent.format(slices[index]?.share ?? 0) }))
  if (total === 0) return <EmptyChart title={title} empty={empty} />
  const table = (
    <ChartTable
      caption={title}
      heading={heading}
      columns={[valueLabel, 'Share']}
      rows={rows.map(({ label, value, share }) => ({ name: label, cells: [value, share] }))}
    />
  )
  return (
    <ChartFigure title={title} summary={summary} table={table}>
      <div className="mt-4 flex flex-col items-center gap-x-8 gap-y-5 @md:flex-row">
        <Ring label={title} slices={slices} rows={rows} total={format(total)} valueLabel={valueLabel} />
        <ul aria-label={title} className="w-full min-w-0 flex-1 divide-y divide-line text-sm tabular-nums">
          {rows.map(({ label, value, share }, index) => (
            <li key={label} className="flex items-center gap-3 py-2">
              <span aria-hidden className={clsx('size-3 shrink-0 rounded-sm', swatches[index])} />
              <span className="min-w-0 flex-1 truncate">{label}</span>
              <span className="font-medium">{value}</span>
              <span className="w-13 text-right text-muted">{share}</span>
            </li>
          ))}
        </ul>
      </div>
    </ChartFigure>
  )
}

type RingProps = {
  label: string
  slices: ReturnType<typeof slicesOf>
  rows: readonly { label: string; value: string; share: string }[]
  total: string
  valueLabel: string
}

function Ring({ label, slices, rows, total, valueLabel }: RingProps) {
  const [active, setActive] = useState<number | null>(null)
  const row = rows[active ?? 0]
  if (row === undefined) return null
  return (
    <div className="relative shrink-0" style={{ width: size, height: size }}>
      <svg aria-hidden width={size} height={size} className="-rotate-90 overflow-visible">
        {slices.map((slice, index) => {
          if (slice.share === 0) return null
          const { start, share } = drawnSlice(slice)
          return (
            <circle
              key={rows[index]?.label}
              cx={size / 2}
              cy={size / 2}
              r={radius}
              fill="none"
              pathLength={1}
              strokeDasharray={`${share} ${1 - share}`}
              strokeDashoffset={-start}
              strokeWidth={active === index ? thickness + 6 : thickness}
              className={strokes[index]}
            />
          )
        })}
      </svg>
      <div aria-hidden className="absolute inset-0 grid place-content-center text-center">
        <span className="text-title font-semibold tabular-nums">{total}</span>
        <span className="text-xs text-muted">{valueLabel}</span>
      </div>
      <ChartSlider
        label={label}
        valueText={`${row.label}: ${row.value} ${valueLabel}, ${row.share}`}
        value={active ?? 0}
        last={rows.length - 1}
        box={{ left: 0, top: 0, width: size, height: size }}
        onPoint={(x, y) => setActive(sliceAt(slices, x, y))}
        onStep={setActive}
        onArrive={() => setActive(0)}
        onLeave={() => setActive(null)}
      />
      {active !== null && (
        <div
          aria-hidden
          className={clsx('pointer-events-none absolute bottom-full left-1/2 z-10 mb-1 w-max max-w-60 -translate-x-1/2', chartTipClass)}
        >
          {row.label}
          <br />
          {valueLabel}: <span className="font-semibold">{row.value}</span>, {row.share}
        </div>
      )}
    </div>
  )
}
