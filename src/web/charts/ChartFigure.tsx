import { clsx } from 'clsx'
import { Table2 } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { iconButtonClass } from '../ui/Button.tsx'
import { Popover } from '../ui/overlay/Popover.tsx'

type ChartFigureProps = {
  /** What the chart shows: `Clicks by device`. */
  title: string
  /** A one-sentence summary for people who can't see it. */
  summary: string
  /** The same data as a table; null if there is none. */
  table: ReactNode
  /** Further buttons next to the table's. */
  actions?: ReactNode
  /** Takes the height of its place, a flex column. */
  fills?: boolean
  children: ReactNode
}

/** The frame of every chart: its title, a summary in words, and the same data as a table. */
export function ChartFigure({ title, summary, table, actions, fills = false, children }: ChartFigureProps) {
  const id = useId()
  return (
    <figure aria-labelledby={id} className={clsx('@container', fills && 'flex grow flex-col')}>
      <figcaption className="flex min-h-7.5 items-start justify-between gap-3">
        <div>
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          <p className="sr-only">{summary}</p>
        </div>
        <div className="-mt-2.5 -mr-2.5 flex shrink-0">
          {actions}
          {table !== null && (
            <Popover
              label={`Show as table: ${title}`}
              title={title}
              triggerClass={iconButtonClass('text-muted!')}
              trigger={<Table2 aria-hidden />}
            >
              {table}
            </Popover>
          )}
        </div>
      </figcaption>
      {children}
    </figure>
  )
}

/** Replaces a chart without data; `empty` says so. */
export function EmptyChart({ title, empty }: { title: string; empty: string }) {
  return (
    <ChartFigure title={title} summary={empty} table={null}>
      <p className="grid min-h-40 place-items-center text-center text-muted">{empty}</p>
    </ChartFigure>
  )
}

/** The look of a point's tooltip in any chart. */
export const chartTipClass = 'rounded-md bg-text px-2.5 py-1.5 text-xs text-page tabular-nums shadow-float'
