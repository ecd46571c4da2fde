import { askingFor, rangeIn } from '../../widgets/analytics/period-view.ts'
import { ArrowLeftRight, SearchX } from 'lucide-react'
import type { Keyword } from '../../../contract/keywords.ts'
import { allKeywords } from '../../api/analytics.ts'
import type { View } from '../../lib/address-view.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { figureColumn } from '../../widgets/analytics/figure-column.tsx'
import { useFiltersOfSegment } from '../../widgets/analytics/coverage/is-compared.ts'
import { daysWords } from '../../widgets/analytics/coverage/list-coverage.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import { DataTable } from '../../widgets/table/DataTable.tsx'
import { useAllRows } from '../../lib/hooks/paged-list.ts'
import { doubtsOf, lostSentence, meaningOf, unknownDays } from './copy.ts'
import { KeywordFilterBar, KeywordFilters, SortSelect } from './Filters.tsx'
import { isFiltered, limits, movementParams } from './keyword-params.ts'
import { asTableSort, columnsOf, movementSortChoices, movementSorts, movementView, sortedBy } from './keyword-views.ts'
import { keywordColumn } from './KeywordCells.tsx'
import { Coverage, ListFrame, NothingMatches, RowsLoading, UnderList } from './ListFrame.tsx'
import { type KeywordSummary, useKeywordSummary } from './use-keyword-summary.ts'

const presences = [
  { value: 'new', label: 'New' },
  { value: 'lost', label: 'Lost' },
] as const

export function MovementTab({ property }: { property: string }) {
  const [view, show] = useView(movementView)
  return (
    <>
      <KeywordFilterBar>
        <KeywordFilters view={view} show={show} />
        <SortSelect choices={movementSortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </KeywordFilterBar>
      <div className="mb-4">
        <Segments label="Keywords to show" choices={presences} value={view.presence} onChange={(presence) => show({ presence })} />
      </div>
      {view.compare === 'none' ? (
        <section aria-label="New and lost keywords" className="rounded-card border border-line bg-surface p-4 sm:p-6">
          <EmptyState
            icon={<ArrowLeftRight aria-hidden />}
            title="Choose a comparison"
            actions={
              <>
                <Button variant="primary" onClick={() => show({ compare: '' })}>
                  Previous period
                </Button>
                <Button onClick={() => show({ compare: 'year' })}>Same period last year</Button>
              </>
            }
          >
            To find new and lost keywords, compare with another period.
          </EmptyState>
        </section>
      ) : (
        <MovementList property={property} view={view} show={show} />
      )}
    </>
  )
}

type Movement = View<typeof movementView>
type MovementListProps = { property: string; view: Movement; show: (change: Partial<Movement>) => void }

/** Keywords shown in only one of two periods. */
function MovementList({ property, view, show }: MovementListProps) {
  const list = useAllRows(allKeywords(property, { ...movementParams(view), limit: limits.movement }))
  const about = useKeywordSummary(property, view)
  const { presence } = view
  const title = presence === 'new' ? 'New keywords' : 'Lost keywords'
  const unknown = about.summary ? unknownDays(presence, about.summary) : []
  if (unknown.length > 0) return <DaysMissing title={title} days={daysWords(unknown)} view={view} show={show} />
  return (
    <ListFrame
      label={title}
      property={property}
      what={`${presence} keywords`}
      list={list}
      about={about}
      head={<Meaning view={view} summary={about.summary} />}
      empty={
        // Until it is known whether days are missing, the list isn't called empty.
        about.summary === undefined && about.error === null ? (
          <RowsLoading what={`${presence} keywords`} />
        ) : isFiltered(view) ? (
          <NothingMatches icon={<SearchX aria-hidden />} title={`No ${presence} keywords match your filters`} onClear={show} />
        ) : (
          <EmptyState icon={<SearchX aria-hidden />} title={presence === 'new' ? 'No new keywords' : 'No keywords lost'}>
            {presence === 'new'
              ? 'Every keyword in this period also appears in the comparison period.'
              : 'Every keyword in the comparison period still appears.'}
          </EmptyState>
        )
      }
    >
      {(rows) => (
        <>
          <DataTable
            caption={title}
            what={[`${presence} keyword`, `${presence} keywords`]}
            rows={rows}
            more={list.moreOf(null)}
            keyOf={keyOf}
            name={keywordColumn}
            columns={columns}
            sort={asTableSort(view)}
            onSort={(chosen) => {
              const found = sortedBy(movementSorts, chosen)
              if (found !== null) show(found)
            }}
            sortedByServer={sortable}
          />
          {presence === 'new' ? (
            <Coverage about={about} shown={rows} />
          ) : (
            <UnderList>
              <p className="min-h-5 tabular-nums">
                {!list.isPlaceholderData && lostSentence(rows, list.moreOf(null).hasMore, about.summary?.previous ?? null)}
              </p>
            </UnderList>
          )}
        </>
      )}
    </ListFrame>
  )
}

function Meaning({ view, summary }: { view: Movement; summary: KeywordSummary['summary'] }) {
  const segment = useFiltersOfSegment(view.segment)
  return (
    <div className="mb-3 min-h-10 max-w-[90ch] text-muted tabular-nums">
      {summary && summary.previous !== null && (
        <>
          <p>{meaningOf(view.presence, { ...summary, previous: summary.previous }, segment)}</p>
          <p>{doubtsOf(view.presence, summary).join(' ')}</p>
        </>
      )}
    </div>
  )
}

type DaysMissingProps = Omit<MovementListProps, 'property'> & { title: string; days: string }

function DaysMissing({ title, days, view, show }: DaysMissingProps) {
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <EmptyState
        icon={<ArrowLeftRight aria-hidden />}
        title={view.presence === 'new' ? 'No comparison data' : 'Some days are missing'}
        actions={
          view.compare === 'year' ? (
            <Button onClick={() => show({ compare: '' })}>Compare with previous period</Button>
          ) : (
            rangeIn(view) !== '7d' && <Button onClick={() => show(askingFor({ range: '7d' }))}>Show last 7 days</Button>
          )
        }
      >
        No keyword data is stored for {days}, so Ranklark can’t tell which keywords are {view.presence}.
      </EmptyState>
    </section>
  )
}

const metrics = ['position', 'clicks', 'impressions', 'ctr'] as const

// Lost keywords are described by their earlier figures.
const shownFigures = (row: Keyword) => (row.impressions === 0 && row.previous ? row.previous : row)
const columns = metrics.map((metric) => figureColumn<Keyword>({ metric, now: shownFigures }))
const sortable = columnsOf(movementSorts)
const keyOf = ({ query }: Keyword): string => query
