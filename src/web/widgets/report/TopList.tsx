import type { PeriodicReport, ReportRow } from '../../../contract/reports/periodic.ts'
import { coverageWords, type ListOf } from '../../../core/reports/copy.ts'
import { metricLabels, metricNames, type MetricName } from '../../lib/metric.ts'
import { ComparedFigure } from '../analytics/ComparedFigure.tsx'
import { type FiguresColumn, FiguresTable } from '../analytics/FiguresTable.tsx'
import { ReportName } from './ReportName.tsx'
import { type Level, ReportSection } from './ReportSection.tsx'

type TopListProps = { report: PeriodicReport; what: ListOf; isOwn: boolean; level: Level }

const titles = { pages: 'Top pages', keywords: 'Top keywords' } as const

/** Pages or keywords with the most clicks. */
export function TopList({ report, what, isOwn, level }: TopListProps) {
  const { top } = report[what]
  return (
    <ReportSection level={level} title={titles[what]} description={coverageWords(what, report[what])}>
      {top.length > 0 && (
        <FiguresTable
          caption={titles[what]}
          rows={top}
          keyOf={({ name }) => name}
          name={nameColumn(what, report.kind, isOwn)}
          columns={columns}
          wide="(width >= 64rem), print"
        />
      )}
    </ReportSection>
  )
}

const columns = metricNames.map((metric): FiguresColumn<ReportRow> => ({
  id: metric,
  label: metricLabels[metric],
  width: 'w-28 xl:w-36 print:w-28',
  cell: (row) => <ComparedFigure metric={metric} now={row[metric]} before={before(row, metric)} colorBy="outcome" />,
}))

const nameColumn = (what: TopListProps['what'], reportKind: PeriodicReport['kind'], isOwn: boolean) => ({
  label: what === 'pages' ? 'Page' : 'Keyword',
  cell: ({ name }: ReportRow) => (
    <ReportName kind={what === 'pages' ? 'page' : 'keyword'} name={name} reportKind={reportKind} isOwn={isOwn} />
  ),
})

/** Undefined without a comparison; null if the row wasn't shown before: then it is new. */
function before({ previous }: ReportRow, metric: MetricName): number | null | undefined {
  if (previous === null) return undefined
  return previous.impressions === 0 ? null : previous[metric]
}
