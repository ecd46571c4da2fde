import { type ReactNode, useId } from 'react'
import type { ComparedFigures } from '../../../../contract/analytics.ts'
import { metricNames } from '../../../lib/metric.ts'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { LoadProblem } from '../../LoadProblem.tsx'
import type { DataColumn, NameColumn } from '../../table/columns.ts'
import { DataTable } from '../../table/DataTable.tsx'
import { figureColumn } from '../figure-column.tsx'
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
              <DataTable
                caption={title}
                what={kind === 'page' ? ['page', 'pages'] : ['keyword', 'keywords']}
                rows={rows}
                keyOf={keyOf}
                name={nameColumns[kind]}
                columns={compared ? comparedColumns : plainColumns}
                atFirst={rowsAtFirst}
              />
            </div>
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

const keyOf = ({ name }: Pair): string => name

/** What is shown about a page's query, or a query's page. `compared`: with the previous values. */
const pairColumns = (compared: boolean): readonly DataColumn<Pair>[] => [
  { id: 'share', label: 'Share', width: 72, value: ({ share }) => share, cell: ({ share }) => `${(share * 100).toFixed(1)}%` },
  ...metricNames.map((metric) =>
    figureColumn<Pair>({
      metric,
      label: metric === 'position' ? 'Avg Position' : undefined,
      now: (row) => row,
      before: compared ? ({ previous }) => previous : undefined,
    }),
  ),
]
const plainColumns = pairColumns(false)
const comparedColumns = pairColumns(true)

/** The rows' subjects: each opens its own panel. */
const nameColumns: Record<Detail['kind'], NameColumn<Pair>> = {
  page: { label: 'Page', value: keyOf, cell: ({ name }) => <DetailLink kind="page" name={name} /> },
  keyword: { label: 'Keyword', value: keyOf, cell: ({ name }) => <DetailLink kind="keyword" name={name} /> },
}
