import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { notStoredWords } from '../../../core/reports/copy.ts'
import { formatCount, formatMetric } from '../../lib/format.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { type FiguresColumn, FiguresTable } from '../analytics/FiguresTable.tsx'
import { ReportName } from './ReportName.tsx'
import { type Level, ReportSection } from './ReportSection.tsx'

type Opportunity = NonNullable<PeriodicReport['advanced']>['opportunities'][number]
type ReportOpportunitiesProps = { report: PeriodicReport; opportunities: readonly Opportunity[]; isOwn: boolean; level: Level }

const columns: FiguresColumn<Opportunity>[] = [
  { id: 'position', label: 'Position', width: 'w-24', cell: ({ position }) => formatMetric('position', position) },
  {
    id: 'score',
    label: 'Extra clicks per week',
    width: 'w-40',
    cell: ({ opportunityScore }) => <span className="font-semibold">+{formatCount(opportunityScore)}</span>,
  },
]

const nameColumn = (reportKind: PeriodicReport['kind'], isOwn: boolean) => ({
  label: 'Keyword and page',
  cell: ({ query, page }: Opportunity) => (
    <span className="flex flex-col gap-0.5">
      <ReportName kind="keyword" name={query} reportKind={reportKind} isOwn={isOwn} />
      {page !== '' && <bdi className="wrap-anywhere text-muted">{pagePath(page)}</bdi>}
    </span>
  ),
})

/** Keywords with room to improve. */
export function ReportOpportunities({ report, opportunities, isOwn, level }: ReportOpportunitiesProps) {
  return (
    <ReportSection level={level} title="Opportunities" description="Keywords that could gain clicks by reaching position 3 (estimated).">
      {opportunities.length === 0 ? (
        <p className="text-muted">{notStoredWords('keywords', report.keywords) ?? 'No keywords with estimated gains.'}</p>
      ) : (
        <FiguresTable
          caption="Opportunities"
          rows={opportunities}
          keyOf={({ query }) => query}
          name={nameColumn(report.kind, isOwn)}
          columns={columns}
          wide="(width >= 48rem), print"
        />
      )}
    </ReportSection>
  )
}
