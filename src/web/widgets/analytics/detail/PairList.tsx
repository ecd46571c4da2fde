import { type ReactNode, useId, useState } from 'react'
import type { ComparedFigures } from '../../../../contract/analytics.ts'
import { formatCount } from '../../../lib/format.ts'
import { type MetricName, metricNames } from '../../../lib/metric.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { LoadProblem } from '../../LoadProblem.tsx'
import { ComparedFigure } from '../ComparedFigure.tsx'
import { type FiguresColumn, FiguresTable } from '../FiguresTable.tsx'
import { DetailLink } from './DetailLink.tsx'
import type { Detail } from './detail-link.ts'

/** Rows visible before somebody asks for all. */
const rowsAtFirst = 50

type PairListProps = {
  title: string
  /** The kind of rows. */
  kind: Detail['kind']
  property: string
  rows: readonly Pair[] | undefined
  error: Error | null
  isOutdated: boolean
  compared: boolean
  onRetry: () => void
  /** A summary of the rows. */
  children: ReactNode
}

/** The counterpart of a page or query: each row leads to its own panel. */
export function PairList({ title, kind, property, rows, error, isOutdated, compared, onRetry, children }: PairListProps) {
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="text-base font-semibold">
        {title}
      </h3>
      {error !== null ? (
        <LoadProblem what={kind === 'page' ? 'pages' : 'keywords'} property={property} error={error} onRetry={onRetry} />
      ) : rows === undefined ? (
        <Loading what={kind === 'page' ? 'pages' : 'keywords'} />
      ) : (
        <Dimmed when={isOutdated}>
          <p className="mt-1 max-w-[70ch] text-muted">{children}</p>
          {rows.length > 0 && (
            <div className="mt-3">
              <FiguresTable
                caption={title}
                rows={isWhole ? rows : rows.slice(0, rowsAtFirst)}
                keyOf={({ name }) => name}
                name={nameColumn[kind]}
                columns={pairColumns(compared)}
              />
            </div>
          )}
          {!isWhole && rows.length > rowsAtFirst && (
            <Button className="mt-4" onClick={() => setWhole(true)}>
              Show all {formatCount(rows.length)}
            </Button>
          )}
        </Dimmed>
      )}
    </section>
  )
}

function Loading({ what }: { what: string }) {
  return (
    <div aria-busy>
      <output className="sr-only">Loading {what}</output>
      <Skeleton className="mt-1 h-10 w-4/5" />
      {['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
        <Skeleton key={row} className="mt-3 h-10 w-full" />
      ))}
    </div>
  )
}

type Pair = ComparedFigures & { share: number; name: string }

const labels: Record<MetricName, string> = { clicks: 'Clicks', impressions: 'Impressions', ctr: 'CTR', position: 'Avg Position' }

/** What is shown about a page's query, or a query's page. `compared`: with the previous values. */
const pairColumns = (compared: boolean): readonly FiguresColumn<Pair>[] => [
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

/** The rows' subjects: each opens its own panel. */
const nameColumn = {
  page: { label: 'Page', cell: ({ name }: Pair) => <DetailLink kind="page" name={name} /> },
  keyword: { label: 'Keyword', cell: ({ name }: Pair) => <DetailLink kind="keyword" name={name} /> },
}
