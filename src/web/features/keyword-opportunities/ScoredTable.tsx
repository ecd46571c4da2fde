import type { Opportunity } from '../../../contract/keywords.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { type FiguresColumn, FiguresTable } from '../../widgets/analytics/FiguresTable.tsx'
import { Coverage } from './Coverage.tsx'
import { keywordColumn } from './keyword-column.tsx'
import { orderOf, sortChoices, sortedBy, type SortChoice } from './keyword-views.ts'
import { PriorityBadge } from './PriorityBadge.tsx'
import { figuresBefore, type KeywordSummary } from './use-keyword-summary.ts'

type Sorted = Parameters<typeof orderOf>[0]

type ScoredTableProps = {
  caption: string
  /** All that were answered. */
  rows: readonly Opportunity[]
  /** How many of them are on screen. */
  most: number
  about: KeywordSummary
  sorted: Sorted
  onSort: (sorted: Sorted) => void
}

/** Keywords with their figures, score and priority, and how much of the total they explain. */
export function ScoredTable({ caption, rows, most, about, sorted, onSort }: ScoredTableProps) {
  const shown = rows.slice(0, most)
  return (
    <>
      <FiguresTable
        caption={caption}
        rows={shown}
        keyOf={({ query }) => query}
        name={keywordColumn}
        columns={columnsWith(about.summary)}
        wide="(width >= 80rem)"
        sort={{
          by: sorted.sort,
          order: orderOf(sorted),
          columns: sortChoices,
          onSort: (by) => {
            const sort = sortChoices.find((each): each is SortChoice => each === by)
            if (sort !== undefined) onSort(sortedBy(sorted, sort))
          },
        }}
      />
      <Coverage about={about} shown={shown} answered={rows.length} />
    </>
  )
}

const widths: Record<MetricName, string> = { position: 'w-28', clicks: 'w-32', impressions: 'w-36', ctr: 'w-36' }

function columnsWith(summary: KeywordSummary['summary']): FiguresColumn<Opportunity>[] {
  const figure = (metric: MetricName): FiguresColumn<Opportunity> => ({
    id: metric,
    label: metricLabels[metric],
    width: widths[metric],
    cell(row) {
      const before = figuresBefore(row, summary)
      return <ComparedFigure metric={metric} now={row[metric]} before={before && before[metric]} />
    },
  })
  return [
    figure('position'),
    figure('clicks'),
    figure('impressions'),
    figure('ctr'),
    { id: 'opportunityScore', label: 'Score', width: 'w-20', cell: (row) => row.opportunityScore.toFixed(1) },
    { id: 'priority', label: 'Priority', width: 'w-24', cell: (row) => <PriorityBadge score={row.opportunityScore} /> },
  ]
}
