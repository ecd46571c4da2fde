import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import type { Site } from '../../../contract/portfolio.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Change, Figure, Freshness, OpenAlertCount, SiteClicks, SiteMark, SiteName, type SitesListProps, Trouble } from './site-parts.tsx'
import { type AllSites, firstOrder, type ShowSites, type SitesView, type SortBy } from './sites-view.ts'
import { statusOf } from './site-status.ts'
import { Tags } from './Tags.tsx'

type Order = { by: SortBy; label: string; /** Set if the label needs its neighbor. */ name?: string }
/** `below`: a second order, if there is no room for a column of its own. */
type Column = Order & { width: string; isText?: boolean; below?: Order }

const columns: readonly Column[] = [
  { by: 'clicks', label: 'Clicks', width: 'w-19' },
  { by: 'clicksChange', label: 'Change', name: 'Change in clicks', width: 'w-19' },
  { by: 'impressions', label: 'Impressions', width: 'w-24' },
  { by: 'impressionsChange', label: 'Change', name: 'Change in impressions', width: 'w-19' },
  { by: 'position', label: 'Position', width: 'w-17' },
  { by: 'positionChange', label: 'Change', name: 'Change in position', width: 'w-17' },
  { by: 'alerts', label: 'Open alerts', width: 'w-31', isText: true },
  { by: 'data', label: 'Complete through', width: 'w-32', isText: true },
]

/** Changes are below their figures. */
const narrowColumns: readonly Column[] = [
  { by: 'clicks', label: 'Clicks', width: 'w-18', below: { by: 'clicksChange', label: '±', name: 'Change in clicks' } },
  {
    by: 'impressions',
    label: 'Impressions',
    width: 'w-22.5',
    below: { by: 'impressionsChange', label: '±', name: 'Change in impressions' },
  },
  { by: 'position', label: 'Position', width: 'w-16', below: { by: 'positionChange', label: '±', name: 'Change in position' } },
  { by: 'alerts', label: 'Open alerts', width: 'w-27', isText: true },
  { by: 'data', label: 'Complete through', width: 'w-19', isText: true },
]

/** Room for all columns. */
const wide = '(width >= 90rem)'

/** Stays at the left during scrolling. */
const stuck = 'sticky left-0 border-r border-line'
const cell = 'px-1.5 py-2.5'

/** All sites in rows; header and names stay visible. */
export function SitesTable({ sites, isWhole, all, allLabel, view, show, ...row }: SitesListProps) {
  const isWide = useMedia(wide)
  const shown = isWide ? columns : narrowColumns
  return (
    // If all columns fit, the page scrolls and the table's header stays below the page's own; otherwise the table scrolls.
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label="All sites"
      className="relative max-h-[calc(100dvh-9rem)] overflow-auto rounded-card border border-line bg-surface min-[90rem]:max-h-none min-[90rem]:overflow-visible"
    >
      <table data-whole={isWhole} className="w-full min-w-[42rem] table-fixed border-separate border-spacing-0 text-sm">
        <caption className="sr-only">Sites</caption>
        <colgroup>
          <col />
          <col className={isWide ? 'w-20' : 'w-16'} />
          {shown.map(({ by, width }) => (
            <col key={by} className={width} />
          ))}
        </colgroup>
        <thead className="text-muted">
          <tr>
            <Head
              view={view}
              show={show}
              column={{ by: 'name', label: 'Site', width: '', isText: true }}
              className={clsx(stuck, 'z-3 rounded-tl-card pl-4')}
            />
            <th scope="col" className={clsx(headClass, 'z-2 px-1.5 text-left leading-tight font-medium')}>
              Clicks, 28 days
            </th>
            {shown.map((column) => (
              <Head key={column.by} view={view} show={show} column={column} className="z-2 last:rounded-tr-card" />
            ))}
          </tr>
        </thead>
        <tbody>
          {all !== null && <AllRow all={all} label={allLabel} isWide={isWide} />}
          {sites.map((site) => (
            <Row key={site.name} site={site} isWide={isWide} {...row} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const headClass = 'sticky top-0 border-b border-line bg-surface min-[90rem]:top-14'

type HeadProps = { view: SitesView; show: ShowSites; column: Column; className: string }

function Head({ view, show, column, className }: HeadProps) {
  const { by, isText, below } = column
  const isSorted = view.sort === by || view.sort === below?.by
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (view.order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={clsx(
        headClass,
        'px-1.5 py-1 font-medium',
        isText ? 'text-left' : 'text-right',
        by === 'alerts' && 'min-[90rem]:pl-4',
        className,
      )}
    >
      <span className={clsx('inline-flex flex-col', isText ? 'items-start' : 'items-end')}>
        <SortButton view={view} show={show} order={column} isText={isText} isShort={below !== undefined} />
        {below && <SortButton view={view} show={show} order={below} isText={isText} isShort />}
      </span>
    </th>
  )
}

type SortButtonProps = Pick<HeadProps, 'view' | 'show'> & { order: Order; isText: boolean | undefined; isShort: boolean }

function SortButton({ view, show, order: { by, label, name }, isText, isShort }: SortButtonProps) {
  const isSorted = view.sort === by
  const Arrow = view.order === 'asc' ? ArrowUp : ArrowDown
  const next = isSorted ? (view.order === 'asc' ? 'desc' : 'asc') : firstOrder(by)
  return (
    <button
      type="button"
      {...(name !== undefined && { 'aria-label': name, title: name })}
      className={clsx(
        'relative inline-flex min-w-6 items-center rounded-sm text-left font-medium hover:text-text min-[90rem]:whitespace-nowrap',
        isShort ? 'min-h-7' : 'min-h-10 lg:min-h-9',
        !isText && 'justify-end',
        isSorted && 'text-text',
      )}
      onClick={() => show({ sort: by, order: next })}
    >
      {label}
      {/* Next to the label, where it breaks no alignment and makes no column wider. */}
      {isSorted && <Arrow aria-hidden className={clsx('absolute size-3.5', isText ? 'left-full ml-0.5' : 'right-full mr-0.5')} />}
    </button>
  )
}

function AllRow({ all: { metrics }, label, isWide }: { all: AllSites; label: string; isWide: boolean }) {
  return (
    <tr className="font-semibold *:border-b *:border-line *:bg-sunken">
      <th scope="row" className={clsx(cell, stuck, 'z-1 pl-4 text-left')}>
        {label}
      </th>
      <td className={cell}>
        <span className="sr-only">Shown per site</span>
      </td>
      <Figures metrics={metrics} isWide={isWide} />
      <td colSpan={2} className={cell}>
        <span className="sr-only">Shown per site</span>
      </td>
    </tr>
  )
}

const Figures = ({ metrics, isWide }: { metrics: AllSites['metrics'] | null; isWide: boolean }) =>
  (['clicks', 'impressions', 'position'] as const).flatMap((metric): ReactNode[] => [
    <td key={metric} className={clsx(cell, 'text-right')}>
      <Figure metrics={metrics} metric={metric} />
      {!isWide && (
        <div className="text-xs">
          <Change metrics={metrics} metric={metric} />
        </div>
      )}
    </td>,
    isWide && (
      <td key={`${metric} change`} className={clsx(cell, 'text-right')}>
        <Change metrics={metrics} metric={metric} />
      </td>
    ),
  ])

type RowProps = Pick<SitesListProps, 'known' | 'now' | 'onOpen' | 'onChooseTag'> & { site: Site; isWide: boolean }

function Row({ site, isWide, known, now, onOpen, onChooseTag }: RowProps) {
  const status = statusOf(site)
  /** A press anywhere else in the row; the keyboard uses the name. */
  function onClick({ target }: MouseEvent) {
    const isControl = target instanceof Element && target.closest('a, button, [role=dialog]') !== null
    if (!isControl && window.getSelection()?.isCollapsed !== false) onOpen(site.name)
  }
  return (
    <tr
      data-site={site.name}
      className={clsx('group *:border-b *:border-line *:bg-surface last:*:border-b-0', site.monitored && 'cursor-pointer *:hover:bg-page')}
      {...(site.monitored && { onClick })}
    >
      <th scope="row" className={clsx(cell, stuck, 'z-1 pl-4 text-left font-normal')}>
        <span className="flex items-center gap-2.5">
          <SiteMark name={site.name} className="max-xl:hidden" />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1.5 gap-y-1">
            {/* Tags are below the name; without any, the button that adds one is next to it if there is room for both. */}
            <SiteName site={site} onOpen={onOpen} className={clsx('max-w-full', site.tags.length > 0 && 'basis-full')} />
            <Tags site={site} known={known} onChoose={onChooseTag} />
          </span>
        </span>
      </th>
      <td className={cell}>
        <SiteClicks site={site} />
      </td>
      <Figures metrics={site.metrics} isWide={isWide} />
      <td className={clsx(cell, 'min-[90rem]:pl-4')}>
        <OpenAlertCount alerts={site.alerts} />
      </td>
      <td className={cell}>
        <span className="flex flex-col gap-0.5">
          <Freshness site={site} status={status} now={now} />
          <Trouble site={site} status={status} onOpen={onOpen} />
        </span>
      </td>
    </tr>
  )
}

/** The height of the upcoming rows. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface px-4">
      <Skeleton className="my-3 h-5 w-40" />
      {Array.from({ length: rows }, (_, index) => (
        // They are indistinguishable.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="flex h-13 items-center gap-4 border-t border-line">
          <Skeleton className="size-8" />
          <Skeleton className="h-4 w-52" />
          <Skeleton className="ml-auto h-4 w-1/2" />
        </div>
      ))}
    </div>
  )
}
