import { clsx } from 'clsx'
import { useState, type DOMAttributes, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { ChartFigure, chartTipClass, EmptyChart } from './ChartFigure.tsx'
import { ChartTable } from './ChartTable.tsx'
import { stepTo } from './step-to.ts'

export type Bar = {
  /** As short as the chart needs it; see `cutAfter`. */
  label: string
  /** Shown on hover and focus, to screen readers and in the table; unique among the bars. */
  fullLabel: string
  value: number
  /** A page with more about it. */
  href?: string
}

type BarChartProps = {
  /** What the chart shows: `Clicks by device`. */
  title: string
  /** A one-sentence summary for people who can't see it. */
  summary: string
  /** In display order. */
  rows: readonly Bar[]
  format: (value: number) => string
  /** What is counted: `Clicks`. */
  valueLabel: string
  /** What the bars are: `Page`. */
  heading: string
  /** Shown instead if there is no data. */
  empty: string
}

/**
 * Bars from zero, one below the other, next to their names and figures. The list is one stop of the Tab key, and arrow keys move between
 * bars.
 */
export function BarChart({ title, summary, rows, format, valueLabel, heading, empty }: BarChartProps) {
  const [active, setActive] = useState<number | null>(null)
  const [stop, setStop] = useState(0)
  if (rows.length === 0) return <EmptyChart title={title} empty={empty} />

  const most = Math.max(...rows.map(({ value }) => value))
  const last = rows.length - 1
  const table = (
    <ChartTable
      caption={title}
      heading={heading}
      columns={[valueLabel]}
      rows={rows.map(({ fullLabel, href, value }) => ({ name: fullLabel, href, cells: [format(value)] }))}
    />
  )

  function onKeyDown(event: KeyboardEvent<HTMLUListElement>) {
    if (event.key === 'Escape') setActive(null)
    const next = stepTo(event.key, Math.min(stop, last), last)
    if (next === null) return
    event.preventDefault()
    event.currentTarget.querySelectorAll<HTMLElement>('[data-bar]')[next]?.focus()
  }

  return (
    <ChartFigure title={title} summary={summary} table={table}>
      {/* The keys move within the list; the list itself isn't a control. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        aria-label={`${heading}: ${valueLabel}`}
        className="-mx-2 mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 text-sm @xl:grid-cols-[fit-content(15rem)_minmax(0,1fr)_auto]"
        onKeyDown={onKeyDown}
      >
        {rows.map((row, index) => (
          <li key={row.fullLabel} className="relative col-span-full grid grid-cols-subgrid">
            <Place
              href={row.href}
              name={`${row.fullLabel}: ${format(row.value)} ${valueLabel}`}
              isStop={index === Math.min(stop, last)}
              onPointerEnter={() => setActive(index)}
              onPointerLeave={() => setActive(null)}
              onFocus={() => {
                setActive(index)
                setStop(index)
              }}
              onBlur={() => setActive(null)}
            >
              <span aria-hidden className="truncate">
                {row.label}
              </span>
              <span aria-hidden className="text-right tabular-nums @xl:order-last">
                {format(row.value)}
              </span>
              <span className="col-span-full h-2 @xl:col-span-1 @xl:h-4">
                <span
                  className={clsx(
                    'block h-full rounded-r-sm',
                    row.value > 0 && 'min-w-0.5',
                    active === index ? 'bg-brand-strong' : 'bg-brand',
                  )}
                  style={{ width: `${most > 0 ? (row.value / most) * 100 : 0}%` }}
                />
              </span>
            </Place>
            {active === index && (
              <span
                role="tooltip"
                className={clsx(
                  'pointer-events-none absolute bottom-full left-2 z-20 w-max max-w-full @xl:left-1/2 @xl:max-w-1/2',
                  chartTipClass,
                )}
              >
                <span className="wrap-anywhere">{row.fullLabel}</span>
                <br />
                {valueLabel}: <span className="font-semibold">{format(row.value)}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </ChartFigure>
  )
}

const placeClass =
  'col-span-full grid h-13 grid-cols-subgrid content-center items-center gap-y-1.5 rounded-control px-2 text-left hover:bg-sunken focus-visible:-outline-offset-2 @xl:h-9'

type PlaceProps = Pick<DOMAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'> & {
  href: string | undefined
  name: string
  isStop: boolean
  children: ReactNode
}

/** A bar with its name and figure: a link if there is more to see, else a button that shows the full name on tap. */
function Place({ href, name, isStop, children, ...events }: PlaceProps) {
  const props = { 'data-bar': '', tabIndex: isStop ? 0 : -1, className: placeClass, ...events }
  const content = (
    <>
      <span className="sr-only">{name}</span>
      {children}
    </>
  )
  if (href !== undefined) {
    return (
      <Link to={href} {...props}>
        {content}
      </Link>
    )
  }
  return (
    <button type="button" {...props}>
      {content}
    </button>
  )
}
