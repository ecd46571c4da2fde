import { useQuery } from '@tanstack/react-query'
import { History, TrendingUp } from 'lucide-react'
import type { Period } from '../../../contract/metrics.ts'
import type { Decay } from '../../../contract/pages.ts'
import { decayQuery } from '../../api/analytics.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { type FiguresColumn, FiguresTable } from '../../widgets/analytics/FiguresTable.tsx'
import { askingFor } from '../../widgets/analytics/period-view.ts'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { barHeights, decayQuestion, lossOf, tooLittleHistory } from './copy.ts'
import { filterOf, listLimit, type PagesView, type ShowPages, tableRows } from './page-view.ts'
import { PageFilters } from './PageFilters.tsx'
import type { PagesTabProps } from './PerformanceTab.tsx'

/** Pages that lose their visitors gradually, which no comparison of two periods shows. */
export function DecayTab({ property, view, show }: PagesTabProps) {
  const { range, segment, search } = filterOf(view)
  const { data, error, isPlaceholderData, refetch } = useQuery(decayQuery(property, { range, segment, search, limit: listLimit }))
  return (
    <>
      <PageFilters view={view} show={show} />
      <div className="mt-5 min-h-160">
        {error !== null ? (
          <LoadProblem what="content decay" property={property} error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Spinner label="Loading pages" />
        ) : (
          <Dimmed when={isPlaceholderData}>
            <p className="max-w-[70ch] text-muted">{data && decayQuestion(data.periods)}</p>
            <div className="mt-4">
              <Found decay={data} view={view} show={show} />
            </div>
          </Dimmed>
        )}
      </div>
    </>
  )
}

function Found({ decay, view, show }: { decay: Decay | null; view: PagesView; show: ShowPages }) {
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
  if (decay.pages.length === 0) {
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
  return (
    <>
      <DecayTable periods={decay.periods} pages={decay.pages.slice(0, tableRows)} />
      {decay.pages.length > tableRows && (
        <p className="mt-4 text-sm text-muted">Only the first {formatCount(tableRows)} are listed. Export includes all of them.</p>
      )}
    </>
  )
}

type Row = Decay['pages'][number]
type DecayTableProps = { periods: readonly Period[]; pages: readonly Row[] }

/** Room for a page's name next to six columns and the sidebar. */
const wide = '(width >= 80rem)'

/** Each page's clicks in the four periods, as bars and figures. */
function DecayTable({ periods, pages }: DecayTableProps) {
  return (
    <FiguresTable
      caption="Content decay"
      rows={pages}
      keyOf={({ page }) => page}
      name={pageColumn}
      columns={columnsOf(periods)}
      wide={wide}
    />
  )
}

const pageColumn = { label: 'Page', cell: ({ page }: Row) => <DetailLink kind="page" name={page} /> }

const columnsOf = (periods: readonly Period[]): readonly FiguresColumn<Row>[] => [
  { id: 'trend', label: 'Trend', width: 'w-22', cell: ({ clicks }) => <Bars values={clicks} /> },
  ...periods.map((period, index): FiguresColumn<Row> => ({
    id: period.start,
    label: formatPeriod(period),
    width: 'w-24',
    cell: ({ clicks }) => formatCount(clicks[index] ?? 0),
  })),
  { id: 'lost', label: 'Lost clicks', width: 'w-28', cell: ({ clicks }) => <Loss clicks={clicks} /> },
]

function Loss({ clicks }: { clicks: readonly number[] }) {
  const { lost, share } = lossOf(clicks)
  return (
    <span className="inline-flex flex-col items-end gap-0.5 tabular-nums in-[dd]:items-start">
      <span className="font-semibold">{formatCount(lost)}</span>
      <span className="text-xs text-muted">down {Math.round(share * 100)}%</span>
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
