import { clsx } from 'clsx'
import { Check, Ruler, Table2 } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useId, useRef } from 'react'
import { useLocation } from 'react-router'
import type { SearchType } from '../../../contract/common.ts'
import type { MetricsRead, Period } from '../../../contract/metrics.ts'
import { metricColors } from '../../charts/metric-color.ts'
import { Sparkline } from '../../charts/Sparkline.tsx'
import { formatMetric } from '../../lib/format.ts'
import { hasMetric, metricLabels, type MetricName, metricNames } from '../../lib/metric.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ChangeChip } from '../../ui/ChangeChip.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { NotesButton } from '../../widgets/annotations/NotesButton.tsx'
import { useAnnotationMarks } from '../../widgets/annotations/use-annotation-marks.ts'
import { metricView, type MetricView } from './metric-view.ts'
import { comparedName, type ShownDays } from './names-of-days.ts'

// In a popover only.
const SeriesTable = lazy(async () => ({ default: (await import('../../charts/ChartTable.tsx')).SeriesTable }))

type MetricCardsProps = {
  property: string
  metrics: MetricsRead
  days: ShownDays & { type: SearchType }
  outdated: boolean
  shown: readonly MetricName[]
  onShow: (shown: MetricName[]) => void
}

/**
 * The figures of these days, and which of them the chart below shows. `outdated`: these are the previous property's figures, shown until the new
 * ones arrive.
 */
export function MetricCards({ property, metrics, days: chosen, outdated, shown, onShow }: MetricCardsProps) {
  const days = daysOf(metrics)
  const { type } = chosen
  const versus = chosen.compare === 'none' ? null : comparedName(chosen, metrics)
  const toggled = (name: MetricName) => metricNames.filter((each) => shown.includes(each) !== (each === name))
  return (
    <div aria-busy={outdated} className={clsx('transition-opacity duration-150', outdated && 'opacity-50')}>
      <Grid>
        {metricNames.map((name) => (
          <MetricCard
            key={name}
            property={property}
            name={name}
            type={type}
            view={metricView(metrics, name, type)}
            versus={versus}
            days={days}
            shown={shown.includes(name)}
            onToggle={toggled(name).length === 0 ? undefined : () => onShow(toggled(name))}
          />
        ))}
      </Grid>
    </div>
  )
}

function daysOf({ dates, current }: MetricsRead): Period | null {
  const [start, end] = [dates?.[0] ?? current?.start, dates?.at(-1) ?? current?.end]
  return start === undefined || end === undefined ? null : { start, end }
}

export function MetricCardsLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading metrics</output>
      <Grid>
        {metricNames.map((name) => (
          <MetricCardSkeleton key={name} />
        ))}
      </Grid>
    </div>
  )
}

function Grid({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4 xl:gap-5">{children}</div>
}

type MetricCardProps = {
  property: string
  name: MetricName
  type: SearchType
  view: MetricView
  /** What the change is relative to; null without a comparison. */
  versus: string | null
  /** The days of the line; null if unknown. */
  days: Period | null
  /** Whether the chart below shows it */
  shown: boolean
  /** Undefined if it is the only one shown: one has to stay. */
  onToggle: (() => void) | undefined
}

/** More days would be a blur at this size; the chart below shows them. */
const mostDrawn = 100

/** A metric's figures. Pressing the card anywhere, except on other controls, adds the metric to the chart below. */
function MetricCard({ property, name, type, view, versus, days, shown, onToggle }: MetricCardProps) {
  const marks = useAnnotationMarks(property, name, days, type)
  const id = useId()
  const section = useRef<HTMLElement>(null)
  useAnchor(name, section)
  const label = metricLabels[name]
  const isKnown = hasMetric(type, name)
  const format = (value: number) => formatMetric(name, value)
  return (
    <section ref={section} id={name} tabIndex={-1} aria-labelledby={id} className="rounded-card">
      <Card className={clsx('relative overflow-clip p-3! sm:p-4! transition-colors duration-150', isKnown && 'hover:border-line-control')}>
        <div aria-hidden className={clsx('absolute inset-x-0 top-0 h-1', shown && metricColors[name].bg)} />
        <div className="flex h-5 items-center justify-between">
          <h2 id={id} className="font-medium text-muted">
            {isKnown ? (
              <button
                type="button"
                aria-pressed={shown}
                aria-disabled={shown && onToggle === undefined}
                onClick={onToggle}
                className="flex items-center gap-2 outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-brand"
              >
                <span
                  aria-hidden
                  className={clsx(
                    'grid size-4 place-items-center rounded-sm border [&_svg]:size-3',
                    shown ? ['text-surface', metricColors[name].bg, metricColors[name].border] : 'border-line-control',
                  )}
                >
                  {shown && <Check strokeWidth={3} />}
                </span>
                {label}
              </button>
            ) : (
              label
            )}
          </h2>
          {/* On phones the chart below has the same. */}
          <div className="relative -mr-2 flex max-sm:hidden">
            {isKnown && days !== null && <NotesButton property={property} searchType={type} of={label} days={days} />}
            {isKnown && view.dated && (
              <Popover
                label={`Show ${label} as table`}
                title={`${label} by day`}
                triggerClass={iconButtonClass('text-muted!')}
                trigger={<Table2 aria-hidden />}
              >
                <Suspense fallback={<Spinner label="Loading table" />}>
                  <SeriesTable caption={`${label} by day`} unit={label} points={view.points} format={format} />
                </Suspense>
              </Popover>
            )}
          </div>
        </div>
        <div className="mt-1 flex items-center gap-4">
          <p className="text-figure font-semibold tracking-tight tabular-nums">{view.value}</p>
          <div className="relative max-w-37.5 min-w-0 flex-1 max-sm:hidden">
            {isKnown && view.points.length <= mostDrawn && (
              <Sparkline
                small
                label={`${label} by day`}
                points={view.points}
                format={format}
                inverted={name === 'position'}
                {...(view.dated ? { marks } : { undated: 'By day' })}
              />
            )}
          </div>
        </div>
        <div className="relative mt-1 flex w-fit max-w-full items-center gap-x-1 text-xs text-muted max-sm:h-11 max-sm:flex-wrap max-sm:content-start sm:h-6 sm:whitespace-nowrap">
          {isKnown ? <Change name={name} view={view} versus={versus} /> : 'not available for this search type'}
        </div>
      </Card>
    </section>
  )
}

/** The URL may name a card, `#clicks`: it is scrolled into view and focused once the figures are there. */
function useAnchor(name: MetricName, section: RefObject<HTMLElement | null>): void {
  const location = useLocation()
  useEffect(() => {
    if (location.hash === `#${name}`) section.current?.focus()
  }, [location, name, section])
}

/** Replaces the arrow if the days were counted differently. */
function Incomparable({ reason }: { reason: string }) {
  return (
    <Tooltip content={`${reason}.`}>
      <button
        type="button"
        aria-label={`Not comparable: ${reason}`}
        className="relative inline-flex items-center gap-1.5 after:absolute after:-inset-2"
      >
        <Ruler aria-hidden className="size-3.5" />
        Not comparable
      </button>
    </Tooltip>
  )
}

function Change({ name, view: { change, base, incomparable }, versus }: Pick<MetricCardProps, 'name' | 'view' | 'versus'>) {
  if (versus === null) return 'no comparison'
  if (incomparable !== null) return <Incomparable reason={incomparable} />
  if (change === null) return base === null ? 'no comparison yet' : `${base.values} vs ${versus}`
  return (
    <>
      <ChangeChip metric={name} change={change} base={base} versus={versus} />
      <span aria-hidden className="truncate xl:max-2xl:tracking-tight">
        vs {versus}
      </span>
    </>
  )
}

/** The size of a card, so that nothing moves when the figures arrive. */
function MetricCardSkeleton() {
  return (
    <Card className="p-3! sm:p-4!">
      <Skeleton className="h-5 w-20" />
      <Skeleton className="mt-1 h-8.5 w-28 max-w-full" />
      <Skeleton className="mt-1 h-11 w-40 max-w-full sm:h-6" />
    </Card>
  )
}
