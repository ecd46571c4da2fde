import { CircleHelp } from 'lucide-react'
import type { Opportunity } from '../../../contract/keywords.ts'
import { sitePages } from '../../../contract/screens.ts'
import { type Priority, priorityOf } from '../../../core/analytics/priority.ts'
import type { MetricName } from '../../lib/metric.ts'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { figureColumn } from '../../widgets/analytics/figure-column.tsx'
import { isCompared } from '../../widgets/analytics/coverage/is-compared.ts'
import type { MoreRows } from '../../lib/hooks/paged-list.ts'
import type { DataColumn } from '../../widgets/table/columns.ts'
import { DataTable } from '../../widgets/table/DataTable.tsx'
import { asTableSort, columnsOf, keywordSorts, type Sorted, sortedBy } from './keyword-views.ts'
import { keywordColumn } from './KeywordCells.tsx'
import { Coverage } from './ListFrame.tsx'
import type { KeywordSummary } from './use-keyword-summary.ts'

type ScoredTableProps = {
  caption: string
  what: readonly [one: string, many: string]
  /** All that are loaded. */
  rows: readonly Opportunity[]
  more: MoreRows<Opportunity>
  about: KeywordSummary
  sorted: Sorted
  onSort: (sorted: Sorted) => void
}

const sortable = columnsOf(keywordSorts)

/** Keywords with figures, score and priority, plus how much of the total they explain. */
export function ScoredTable({ caption, what, rows, more, about, sorted, onSort }: ScoredTableProps) {
  const { summary } = about
  const columns = isCompared(summary, 'query') ? comparedColumns : summary === undefined ? roomyColumns : plainColumns
  return (
    <>
      <DataTable
        caption={caption}
        what={what}
        rows={rows}
        more={more}
        keyOf={keyOf}
        name={keywordColumn}
        columns={columns}
        sort={asTableSort(sorted)}
        onSort={(chosen) => {
          const found = sortedBy(keywordSorts, chosen)
          if (found !== null) onSort(found)
        }}
        sortedByServer={sortable}
      />
      <Coverage about={about} shown={rows} />
    </>
  )
}

const keyOf = ({ query }: Opportunity): string => query

/** `room`: for a comparison that isn't known yet. */
function columnsWith(compared: boolean | 'room'): readonly DataColumn<Opportunity>[] {
  const figure = (metric: MetricName) =>
    figureColumn<Opportunity>({
      metric,
      now: (row) => row,
      before: compared === true ? ({ previous }) => previous : undefined,
      keepsRoom: compared !== false,
    })
  return [
    figure('position'),
    figure('clicks'),
    figure('impressions'),
    figure('ctr'),
    {
      id: 'opportunityScore',
      label: 'Score',
      width: 80,
      narrow: 72,
      value: ({ opportunityScore }) => opportunityScore,
      cell: ({ opportunityScore }) => opportunityScore.toFixed(1),
    },
    {
      id: 'priority',
      label: 'Priority',
      width: 96,
      narrow: 88,
      cell: ({ opportunityScore }) => <PriorityBadge score={opportunityScore} />,
    },
  ]
}
export const plainColumns = columnsWith(false)
const roomyColumns = columnsWith('room')
const comparedColumns = columnsWith(true)

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
          <p>CTR by position is estimated from this property’s own data and, where that’s thin, from published benchmarks.</p>
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
