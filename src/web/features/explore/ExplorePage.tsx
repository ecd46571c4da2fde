import { clsx } from 'clsx'
import { SearchX } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { hasPosition, searchTypes } from '../../../contract/common.ts'
import { type Explored, type ExploreRow, exploreSorts, type Grouping, groupings } from '../../../contract/explore/explore.ts'
import { daysBetween } from '../../../core/analytics/days.ts'
import { typeLabels } from '../../../core/analytics/exploration.ts'
import { exploreFile, type ExploreParams, exploreRows, exploreTrends } from '../../api/explore.ts'
import { formatCount, formatPart } from '../../lib/format.ts'
import { knownFigure, type MetricName, metricLabels, metricNames } from '../../lib/metric.ts'
import { PropertyScreen } from '../../shell/PropertyScreen.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ComparedDays, ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { notStoredWords } from '../../widgets/analytics/coverage/list-coverage.ts'
import { DetailPanel } from '../../widgets/analytics/detail/DetailPanel.tsx'
import { figureColumn } from '../../widgets/analytics/figure-column.tsx'
import { PeriodControls } from '../../widgets/analytics/PeriodControls.tsx'
import { trendColumn } from '../../widgets/analytics/RowTrend.tsx'
import { ExportMenu } from '../../widgets/ExportMenu.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import type { NameColumn } from '../../widgets/table/columns.ts'
import { DataTable } from '../../widgets/table/DataTable.tsx'
import { type MoreRows, useAllRows } from '../../lib/hooks/paged-list.ts'
import { copiedNames, groupingLabels, missingWords, nameLabel, periodWords, rowsWord, rowWords } from './copy.ts'
import { type ExploreView, firstSort, isAnswered, ofType, paramsOf, type ShowExplored, useExploreView } from './explore-view.ts'
import { ExploreChart } from './ExploreChart.tsx'
import { FilterBar } from './FilterBar.tsx'
import { RowName, textOf } from './RowName.tsx'
import { ViewMenu } from './SavedMenus.tsx'

/** A property's stored figures, by any of its dimensions. */
export function ExplorePage() {
  const [view, show] = useExploreView()
  return (
    <PropertyScreen title="Explore" heading="Explore" need="Select a property to explore its search data.">
      {(property) => <Explorer property={property} view={view} show={show} />}
    </PropertyScreen>
  )
}

type ExplorerProps = { property: string; view: ExploreView; show: ShowExplored }

function Explorer({ property, view, show }: ExplorerProps) {
  const params = paramsOf(property, view)
  const list = useAllRows(exploreRows(params))
  const { first } = list
  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <PropertyTitle title="Explore" property={property} />
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <PeriodControls view={view} onChange={show} days={first} hasInterval={view.by === 'date'} />
          <ViewMenu range={view.range} />
          <ExportMenu
            property={property}
            disabled={!first || first.count === 0}
            files={[{ label: 'Rows', address: exploreFile(params), what: `The ${rowsWord(view.by, view.grain)}` }]}
          />
        </div>
      </div>
      <div className="flex flex-col gap-2 md:flex-row md:flex-wrap md:items-center">
        <div className="flex flex-wrap gap-2 md:contents">
          <Choices view={view} show={show} />
        </div>
        <FilterBar property={property} view={view} show={show} />
      </div>
      {list.error !== null && !list.isPlaceholderData && list.data === undefined ? (
        <Card className="mt-4">
          <LoadProblem what="these metrics" property={property} error={list.error} onRetry={() => void list.refetch()} />
        </Card>
      ) : (
        <Dimmed when={list.isPlaceholderData}>
          {first === undefined ? (
            <Loading withChart={view.by === 'date'} />
          ) : first === null ? (
            <Nothing title="No data for this search type">This property has no data for the “{typeLabels[view.type]}” search type.</Nothing>
          ) : first.missingDays === daysBetween(first.period.start, first.period.end) ? (
            <Nothing title="No data for these days">{notStoredWords(first)}</Nothing>
          ) : (
            <ComparedDays of={{ current: first.period, previous: first.compared, type: view.type, appearance: appearanceOf(view) }}>
              <Totals explored={first} view={view} />
              {view.by === 'date' && <ExploreChart property={property} params={params} view={view} show={show} />}
              <Card className="mt-4">
                {first.count === 0 ? (
                  <NoRows view={view} show={show} />
                ) : (
                  <Rows
                    property={property}
                    view={view}
                    show={show}
                    params={params}
                    rows={list.data ?? []}
                    explored={first}
                    more={list.moreOf(first.count)}
                  />
                )}
              </Card>
            </ComparedDays>
          )}
        </Dimmed>
      )}
      <DetailPanel property={property} />
    </>
  )
}

function Choices({ view, show }: Pick<ExplorerProps, 'view' | 'show'>) {
  return (
    <>
      <div className="w-32 max-sm:w-auto max-sm:grow">
        <Select
          label="Search type"
          hideLabel
          placeholder=""
          value={view.type}
          choices={searchTypes.map((type) => ({ value: type, label: typeLabels[type] }))}
          onChange={(chosen) => show(ofType(view, searchTypes.find((each) => each === chosen) ?? 'web'))}
        />
      </div>
      <div className="w-52 max-sm:w-auto max-sm:grow">
        <Select
          label="Group by"
          hideLabel
          placeholder=""
          value={view.by}
          choices={groupings.map((by) => ({
            value: by,
            label: `By ${groupingLabels[by].toLowerCase()}`,
            disabled: by !== view.by && !isAnswered({ ...view, by }),
          }))}
          onChange={(chosen) => {
            const by = groupings.find((each) => each === chosen) ?? 'query'
            show({ by, ...firstSort(by) })
          }}
        />
      </div>
    </>
  )
}

/** The rows' sums next to the whole property's; and what no row includes. */
function Totals({ explored, view }: { explored: Explored; view: ExploreView }) {
  const { totals, propertyTotals, compared } = explored
  const isOverlapping = view.by === 'search_appearance'
  const share = {
    clicks: shareWords(totals.clicks, propertyTotals.clicks),
    impressions: shareWords(totals.impressions, propertyTotals.impressions),
  }
  return (
    <>
      <dl aria-label="Totals" className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-4">
        {metricsOf(view).map((metric) => (
          <Card key={metric} className="p-4!">
            <dt className="font-medium text-muted">{metricLabels[metric]}</dt>
            <dd className="mt-1 text-base font-semibold">
              <ComparedFigure metric={metric} now={knownFigure(metric, totals)} before={compared === null ? undefined : totals.previous} />
            </dd>
            {!isOverlapping && (metric === 'clicks' || metric === 'impressions') && (
              <dd className="text-xs text-muted tabular-nums">{share[metric]}</dd>
            )}
          </Card>
        ))}
      </dl>
      <div className="mt-3 text-sm text-muted tabular-nums">
        <p>{periodWords(explored)}</p>
        {isOverlapping && (
          <p>
            These totals are for the whole site. A result can have several search appearances or none, so the rows don’t add up to the
            totals.
          </p>
        )}
        {missingWords(explored, view.compare !== 'none').map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
    </>
  )
}

/** By page, Google counts an impression for each page shown, so pages have more than their site. */
const shareWords = (part: number, whole: number): string =>
  part > whole ? `counted by page; ${formatCount(whole)} for the site` : `${formatPart(part, whole)} of the site’s ${formatCount(whole)}`

/** The search appearance that all rows are about. */
const appearanceOf = ({ filters }: ExploreView): string | undefined => filters.find(({ field }) => field === 'search_appearance')?.value

const metricsOf = ({ type }: Pick<ExploreView, 'type'>): readonly MetricName[] =>
  metricNames.filter((metric) => metric !== 'position' || hasPosition(type))

type RowsProps = ExplorerProps & { params: ExploreParams; rows: readonly ExploreRow[]; explored: Explored; more: MoreRows<ExploreRow> }

function Rows({ property, view, show, params, rows, explored, more }: RowsProps) {
  const isCompared = explored.compared !== null
  const { by, type } = view
  const figures = useMemo(() => metricsOf({ type }).map((metric) => columnOf(metric, by, isCompared)), [type, by, isCompared])
  const asked = JSON.stringify(params)
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const trend = useMemo(() => trendColumn(exploreTrends(params), rows, trendName), [asked, rows])
  const columns = useMemo(() => (traced.has(by) ? [...figures, trend] : figures), [by, figures, trend])
  const name = useMemo(() => nameColumn(property, view, explored), [property, view, explored])
  return (
    <DataTable
      caption="Explore results"
      what={rowWords(view.by, view.grain)}
      rows={rows}
      keyOf={keyOf}
      name={name}
      columns={columns}
      sort={{ by: view.sort, order: view.order }}
      onSort={(chosen) => show({ sort: exploreSorts.find((each) => each === chosen.by) ?? 'clicks', order: chosen.order })}
      sortedByServer={exploreSorts}
      more={more}
    />
  )
}

const nameColumn = (property: string, view: ExploreView, explored: Explored): NameColumn<ExploreRow> => ({
  label: nameLabel(view.by, view.grain),
  value: (row) => textOf(property, view, row),
  copied: copiedNames(view),
  cell: (row) => <RowName property={property} view={view} row={row} explored={explored} />,
})

/** Groupings whose rows have a trend. */
const traced = new Set<Grouping>(['query', 'page', 'country', 'device', 'search_appearance'])
const trendName = ({ name }: ExploreRow): string => name

const keyOf = ({ name, page }: ExploreRow): string => `${name} ${page ?? ''}`

const columnOf = (metric: MetricName, by: ExploreView['by'], isCompared: boolean) =>
  figureColumn<ExploreRow>({
    metric,
    now: (row) => row,
    before: isCompared ? ({ previous }) => previous : undefined,
    appearanceOf: by === 'search_appearance' ? ({ name }) => name : undefined,
  })

function NoRows({ view, show }: Pick<ExplorerProps, 'view' | 'show'>) {
  const [isFiltered, isOfSegment] = [view.filters.length > 0, view.segment !== '']
  const narrowing = [...(isOfSegment ? ['this segment'] : []), ...(isFiltered ? ['these filters'] : [])]
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title="No matching rows"
      actions={
        narrowing.length > 0 && (
          <>
            {isFiltered && <Button onClick={() => show({ filters: [] })}>Clear filters</Button>}
            {isOfSegment && <Button onClick={() => show({ segment: '' })}>Remove segment</Button>}
          </>
        )
      }
    >
      <p>
        No {rowsWord(view.by, view.grain)} {narrowing.length > 0 ? `match ${narrowing.join(' and ')}` : 'had impressions'} in this period.
      </p>
    </EmptyState>
  )
}

function Nothing({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="mt-4">
      <EmptyState icon={<SearchX aria-hidden />} title={title}>
        <p>{children}</p>
      </EmptyState>
    </Card>
  )
}

function Loading({ withChart }: { withChart: boolean }) {
  return (
    <div aria-busy className="mt-4">
      <output className="sr-only">Loading</output>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {metricNames.map((metric) => (
          <Skeleton key={metric} className="h-28 w-full" />
        ))}
      </div>
      {withChart && <Skeleton className="mt-12 h-142 w-full sm:h-122" />}
      <Skeleton className={clsx('h-120 w-full', withChart ? 'mt-4' : 'mt-12')} />
    </div>
  )
}
