import { CircleHelp } from 'lucide-react'
import type { Opportunity } from '../../../contract/keywords.ts'
import { sitePages } from '../../../contract/screens.ts'
import { type Priority, priorityOf } from '../../../core/analytics/priority.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { type FiguresColumn, FiguresTable } from '../../widgets/analytics/FiguresTable.tsx'
import { orderOf, type SortChoice, sortChoices, sortedBy } from './keyword-views.ts'
import { keywordColumn } from './KeywordCells.tsx'
import { Coverage } from './ListFrame.tsx'
import { figuresBefore, type KeywordSummary } from './use-keyword-summary.ts'

type Sorted = Parameters<typeof orderOf>[0]

type ScoredTableProps = {
  caption: string
  /** All that were returned. */
  rows: readonly Opportunity[]
  /** How many of them are visible. */
  most: number
  about: KeywordSummary
  sorted: Sorted
  onSort: (sorted: Sorted) => void
}

/** Keywords with figures, score and priority, plus how much of the total they explain. */
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

const tones = { High: 'critical', Medium: 'warning', Low: 'positive' } as const satisfies Record<Priority, string>

function PriorityBadge({ score }: { score: number }) {
  const priority = priorityOf(score)
  return <Badge tone={tones[priority]}>{priority}</Badge>
}

/** Above a list with scores: what they mean, and on demand how they are computed. */
export function ScoreExplained() {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 text-muted">
      <p>The score estimates how many extra clicks a week you’d get if the keyword reached position 3.</p>
      <Popover
        label="How the score is calculated"
        title="How the score is calculated"
        triggerClass={buttonClass('quiet', '-mx-2 px-2! text-muted!')}
        trigger={
          <>
            <CircleHelp aria-hidden />
            How the score is calculated
          </>
        }
      >
        <div className="flex w-80 max-w-full flex-col gap-2.5 pb-1">
          <p>It’s based on:</p>
          <ul className="list-disc space-y-1 pl-5">
            <li>the keyword’s impressions per week</li>
            <li>the CTR at its current position</li>
            <li>the CTR at position 3</li>
          </ul>
          <p>CTR by position is estimated from this property’s own data.</p>
          <p>
            A score of 20 means about 20 more clicks a week. Priority is High at 20 or more, Medium at 10 or more and Low below that.
            Keywords already at position 3 or better score 0.
          </p>
          <a
            href={`${sitePages.help}#opportunity-score`}
            className="inline-flex min-h-10 items-center font-medium text-brand hover:underline"
          >
            More about the score
          </a>
        </div>
      </Popover>
    </div>
  )
}
