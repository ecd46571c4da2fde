import { useId, useState, type ReactNode } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { FiguresTable } from '../FiguresTable.tsx'
import { LoadProblem } from '../../LoadProblem.tsx'
import type { Detail } from './detail-link.ts'
import { nameColumn, type Pair, pairColumns } from './pair-columns.tsx'

/** Rows on screen before somebody wants to see them all. */
const rowsAtFirst = 50

type PairListProps = {
  title: string
  /** What the rows are. */
  kind: Detail['kind']
  property: string
  rows: readonly Pair[] | undefined
  error: Error | null
  isOutdated: boolean
  compared: boolean
  onRetry: () => void
  /** What the rows say together. */
  children: ReactNode
}

/** The other side of a page or query: each row leads to its own panel. */
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
