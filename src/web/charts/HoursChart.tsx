import { clsx } from 'clsx'
import { useState } from 'react'
import { ChartFigure, chartTipClass, EmptyChart } from './ChartFigure.tsx'
import { ChartTable } from './ChartTable.tsx'

/** An hour's figure, and the usual one; null if unknown. */
export type HourBar = {
  hour: number
  value: number | null
  usual: number | null
  /** It is still being counted. */
  incomplete?: boolean
}

type HoursChartProps = {
  title: string
  /** A one-sentence summary for people who can't see it. */
  summary: string
  /** What the bars show: `Clicks`. */
  label: string
  /** The day's label: `Today`. */
  day: string
  rows: readonly HourBar[]
  format: (value: number) => string
  empty: string
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
const marked = [0, 6, 12, 18]

/** On the day daylight saving time ends, the clock shows 01:00 twice. */
function nameOf(rows: readonly HourBar[], at: number): string {
  const name = clock(rows[at]?.hour ?? 0)
  return rows[at - 1]?.hour === rows[at]?.hour ? `${name} (repeated)` : name
}

/** A day by the hour, each bar in front of its hour's usual one. Shows figures on hover or tap; the table serves everyone else. */
export function HoursChart({ title, summary, label, day, rows, format, empty }: HoursChartProps) {
  const [active, setActive] = useState<number | null>(null)
  const most = Math.max(0, ...rows.flatMap(({ value, usual }) => [value ?? 0, usual ?? 0]))
  if (rows.length === 0) return <EmptyChart title={title} empty={empty} />
  const shown = (value: number | null) => (value === null ? '–' : format(value))
  const height = (value: number | null) => ({ height: `${most === 0 ? 0 : Math.min(100, ((value ?? 0) / most) * 100)}%` })
  const read = active === null ? undefined : rows[active]
  const table = (
    <ChartTable
      caption={title}
      heading="Hour (Pacific)"
      columns={[day, 'Usual']}
      rows={rows.map(({ value, usual }, at) => ({
        name: nameOf(rows, at),
        cells: [shown(value), shown(usual)],
      }))}
    />
  )
  return (
    <ChartFigure title={title} summary={summary} table={table}>
      <div aria-hidden className="relative mt-3" onPointerLeave={() => setActive(null)}>
        <div className="flex h-28 items-stretch border-b border-line">
          {rows.map(({ value, usual, incomplete }, at) => (
            <div
              key={nameOf(rows, at)}
              className={clsx('relative flex-1', at === active && 'bg-sunken')}
              onPointerEnter={() => setActive(at)}
              onPointerDown={() => setActive(at)}
            >
              {usual !== null && (
                <div className="absolute inset-x-px bottom-0 rounded-t-sm border-t-2 border-line-control bg-line" style={height(usual)} />
              )}
              <div
                className={clsx('absolute inset-x-[22%] bottom-0 rounded-t-sm bg-brand', incomplete && 'opacity-50')}
                style={height(value)}
              />
            </div>
          ))}
        </div>
        <div className="flex text-xs text-muted tabular-nums">
          {rows.map(({ hour }, at) => (
            <span key={nameOf(rows, at)} className="h-5 w-0 flex-1 pt-1 whitespace-nowrap">
              {marked.includes(hour) && rows[at - 1]?.hour !== hour && clock(hour)}
            </span>
          ))}
        </div>
        {read && active !== null && (
          <div
            className={clsx('pointer-events-none absolute top-0 z-10 w-max', chartTipClass)}
            style={{ left: `${((active + 0.5) / rows.length) * 100}%`, translate: active > rows.length / 2 ? '-100% 0' : undefined }}
          >
            <div>
              {nameOf(rows, active)} Pacific{read.incomplete && ', incomplete'}
            </div>
            <div>
              {label}: <span className="font-semibold">{shown(read.value)}</span>
            </div>
            <div>Usual: {shown(read.usual)}</div>
          </div>
        )}
      </div>
      <p aria-hidden className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        <span className="inline-flex items-center gap-1.5">
          <span className="size-2.5 rounded-xs bg-brand" />
          {day}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span className="size-2.5 rounded-xs border-t-2 border-line-control bg-line" />
          Usual
        </span>
      </p>
    </ChartFigure>
  )
}
