import { History, TrendingUp } from 'lucide-react'
import { useMemo } from 'react'
import type { Period } from '../../../contract/metrics.ts'
import type { Decay } from '../../../contract/pages.ts'
import { allDecay } from '../../api/analytics.ts'
import { type MoreRows, useAllRows } from '../../lib/hooks/paged-list.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount, formatShare } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { askingFor } from '../../widgets/analytics/period-view.ts'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import type { DataColumn, NameColumn } from '../../widgets/table/columns.ts'
import { DataTable } from '../../widgets/table/DataTable.tsx'
import { barHeights, decayQuestion, lossOf, tooLittleHistory } from './copy.ts'
import { filterOf, listLimit, type PagesView, type ShowPages } from './page-view.ts'
import { PageFilters } from './PageFilters.tsx'
import type { PagesTabProps } from './PerformanceTab.tsx'

/** Pages that lose their visitors gradually, which no comparison of two periods shows. */
export function DecayTab({ property, view, show }: PagesTabProps) {
  const { range, segment, search } = filterOf(view)
  const list = useAllRows(allDecay(property, { range, segment, search, limit: listLimit }))
  const { first, error, isPlaceholderData, refetch } = list
  return (
    <>
      <PageFilters view={view} show={show} />
      <div className="mt-5 min-h-160">
        {error !== null ? (
          <LoadProblem what="content decay data" property={property} error={error} onRetry={() => void refetch()} />
        ) : first === undefined ? (
          <Spinner label="Loading pages" />
        ) : (
          <Dimmed when={isPlaceholderData}>
            <p className="max-w-[70ch] text-muted">{first && decayQuestion(first.periods)}</p>
            <div className="mt-4">
              <Found decay={first} pages={list.data ?? []} more={list.moreOf(null)} view={view} show={show} />
            </div>
          </Dimmed>
        )}
      </div>
    </>
  )
}

type FoundProps = { decay: Decay | null; pages: readonly Row[]; more: MoreRows<Row>; view: PagesView; show: ShowPages }

function Found({ decay, pages, more, view, show }: FoundProps) {
  const { range, segment, search } = filterOf(view)
  if (decay === null || !decay.complete) {
    return (
      <EmptyState
        icon={<History aria-hidden />}
        title="Not enough history yet"
        actions={range !== '7d' && <Button onClick={() => show(askingFor({ range: '7d' }))}>Show last 7 days</Button>}
      >
        <p>{tooLittleHistory(decay?.periods ?? [])}</p>
      </EmptyState>
    )
  }
  if (pages.length === 0) {
    return (
      <EmptyState
        icon={<TrendingUp aria-hidden />}
        title="No decaying pages"
        actions={
          (search ?? segment) !== undefined && (
            <Button onClick={() => show({ segment: '', search: '' })}>{segment === undefined ? 'Clear search' : 'Show all pages'}</Button>
          )
        }
      >
        <p className="wrap-anywhere">
          {`No page${segment === undefined ? '' : ' in this segment'}${search === undefined ? '' : ` with “${search}” in its URL`} has three straight periods of falling clicks.`}
        </p>
      </EmptyState>
    )
  }
  return <DecayTable periods={decay.periods} pages={pages} more={more} />
}

type Row = Decay['pages'][number]
type DecayTableProps = { periods: readonly Period[]; pages: readonly Row[]; more: MoreRows<Row> }

/** Each page's clicks in the four periods, as bars and figures. */
function DecayTable({ periods, pages, more }: DecayTableProps) {
  const columns = useMemo(() => columnsOf(periods), [periods])
  return (
    <DataTable
      caption="Content decay"
      what={['page', 'pages']}
      rows={pages}
      more={more}
      keyOf={keyOf}
      name={pageColumn}
      columns={columns}
      sortedByServer={nothing}
    />
  )
}

const keyOf = ({ page }: Row): string => page

/** In the server's order until all of them are loaded. */
const nothing: readonly string[] = []

const pageColumn: NameColumn<Row> = { label: 'Page', cell: ({ page }) => <DetailLink kind="page" name={page} />, value: keyOf }

/** By place, as other days have other labels: the person's selected columns stay. */
const columnsOf = (periods: readonly Period[]): readonly DataColumn<Row>[] => [
  { id: 'trend', label: 'Trend', width: 104, narrow: 84, align: 'left', cell: ({ clicks }) => <Bars values={clicks} /> },
  ...periods.map((period, index): DataColumn<Row> => ({
    id: `period ${index}`,
    label: formatPeriod(period),
    width: 128,
    narrow: 83,
    isCompact: index === periods.length - 1,
    value: ({ clicks }) => clicks[index] ?? 0,
    cell: ({ clicks }) => formatCount(clicks[index] ?? 0),
  })),
  {
    id: 'lost',
    label: 'Lost clicks',
    width: 128,
    narrow: 104,
    isCompact: true,
    value: ({ clicks }) => lossOf(clicks).lost,
    cell: ({ clicks }) => <Loss clicks={clicks} />,
  },
]

function Loss({ clicks }: { clicks: readonly number[] }) {
  const { lost, share } = lossOf(clicks)
  return (
    <span className="inline-flex flex-col items-end gap-0.5 tabular-nums in-data-compact:flex-row in-data-compact:items-baseline in-data-compact:gap-1.5">
      <span className="font-semibold">{formatCount(lost)}</span>
      <span className="text-xs text-muted">down {formatShare(share)}</span>
    </span>
  )
}

const barWidth = 14
const gap = 4
const height = 32

/** Falling bars, from zero; the figures are next to them. */
function Bars({ values }: { values: readonly number[] }) {
  const width = values.length * (barWidth + gap) - gap
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden className="inline-block">
      {barHeights(values).map((share, index) => {
        // Never too flat to be seen.
        const tall = Math.max(1, share * height)
        return (
          <rect
            // The periods keep their order.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            x={index * (barWidth + gap)}
            y={height - tall}
            width={barWidth}
            height={tall}
            rx={1}
            className={index === values.length - 1 ? 'fill-brand' : 'fill-brand/40'}
          />
        )
      })}
    </svg>
  )
}
