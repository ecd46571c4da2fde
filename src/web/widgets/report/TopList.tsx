import type { PeriodicReport, ReportRow } from '../../../contract/periodic-reports.ts'
import { formatCount } from '../../lib/format.ts'
import { metricLabels, metricNames, type MetricName } from '../../lib/metric.ts'
import { ComparedFigure } from '../analytics/ComparedFigure.tsx'
import { type FiguresColumn, FiguresTable } from '../analytics/FiguresTable.tsx'
import { ReportName } from './ReportName.tsx'
import { type Level, ReportSection } from './ReportSection.tsx'

type TopListProps = { report: PeriodicReport; what: 'pages' | 'keywords'; isOwn: boolean; level: Level }

const titles = { pages: 'Top pages', keywords: 'Top keywords' } as const

/** Pages or keywords with the most clicks. */
export function TopList({ report, what, isOwn, level }: TopListProps) {
  const { count, top } = report[what]
  return (
    <ReportSection level={level} title={titles[what]} description={coverage(what, top.length, count)}>
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
  cell: (row) => <ComparedFigure metric={metric} now={row[metric]} before={before(row, metric)} colourBy="outcome" />,
}))

const nameColumn = (what: TopListProps['what'], reportKind: PeriodicReport['kind'], isOwn: boolean) => ({
  label: what === 'pages' ? 'Page' : 'Keyword',
  cell: ({ name }: ReportRow) => (
    <ReportName kind={what === 'pages' ? 'page' : 'keyword'} name={name} reportKind={reportKind} isOwn={isOwn} />
  ),
})

/** Nothing is compared, or the row was not shown before: then it is new. */
function before({ previous }: ReportRow, metric: MetricName): number | null | undefined {
  if (previous === null) return undefined
  return previous.impressions === 0 ? null : previous[metric]
}

function coverage(what: TopListProps['what'], shown: number, count: number): string {
  if (count === 0) return what === 'pages' ? 'No page was shown.' : 'Google names no keyword of these days.'
  if (count === 1) return what === 'pages' ? 'The one page that was shown.' : 'The one keyword that Google names.'
  const named = what === 'keywords' ? ' that Google names' : ''
  return shown < count
    ? `The ${formatCount(shown)} with the most clicks, of ${formatCount(count)}${named}.`
    : `All ${formatCount(count)}${named}, most clicks first.`
}
