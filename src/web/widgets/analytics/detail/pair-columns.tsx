import type { ComparedFigures } from '../../../../contract/analytics.ts'
import { metricNames, type MetricName } from '../../../lib/metric.ts'
import { ComparedFigure } from '../ComparedFigure.tsx'
import type { FiguresColumn } from '../FiguresTable.tsx'
import { DetailLink } from './DetailLink.tsx'

export type Pair = ComparedFigures & { share: number; name: string }

const labels: Record<MetricName, string> = { clicks: 'Clicks', impressions: 'Impressions', ctr: 'CTR', position: 'Avg Position' }

/** What is told of a query of a page, or of a page of a query. `compared`: beside what it was. */
export const pairColumns = (compared: boolean): readonly FiguresColumn<Pair>[] => [
  { id: 'share', label: 'Share', width: 'w-18', cell: ({ share }) => `${(share * 100).toFixed(1)}%` },
  ...metricNames.map((metric) => ({
    id: metric,
    label: labels[metric],
    width: metric === 'position' ? 'w-32' : 'w-24',
    cell: (pair: Pair) => (
      <ComparedFigure metric={metric} now={pair[metric]} before={compared ? (pair.previous?.[metric] ?? null) : undefined} />
    ),
  })),
]

/** What the rows are about: each opens its own panel. */
export const nameColumn = {
  page: { label: 'Page', cell: ({ name }: Pair) => <DetailLink kind="page" name={name} /> },
  keyword: { label: 'Keyword', cell: ({ name }: Pair) => <DetailLink kind="keyword" name={name} /> },
}
