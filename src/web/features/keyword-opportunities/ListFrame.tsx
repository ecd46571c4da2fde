import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import type { KeywordSummary } from './use-keyword-summary.ts'

type ListFrameProps<Row> = {
  /** Of the list, as screen readers say it. */
  label: string
  property: string
  /** What is said when it fails: `keywords`. */
  what: string
  list: Pick<UseQueryResult<Row[]>, 'data' | 'error' | 'isPlaceholderData' | 'refetch'>
  about: KeywordSummary
  /** Above the rows, also while there are none. */
  head?: ReactNode
  /** In their place when there are none. */
  empty: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/** The card of a list: its rows, the ones before it dimmed while it is on its way, or why there are none. */
export function ListFrame<Row>({ label, property, what, list, about, head, empty, children }: ListFrameProps<Row>) {
  const again = () => {
    void list.refetch()
    if (about.error !== null) about.retry()
  }
  return (
    <section aria-label={label} className="rounded-card border border-line bg-surface p-4 sm:p-6">
      {head}
      {list.error !== null ? (
        <LoadProblem what={what} property={property} error={list.error} onRetry={again} />
      ) : list.data === undefined || (list.data.length === 0 && list.isPlaceholderData) ? (
        <RowsLoading what={what} />
      ) : (
        <Dimmed when={list.isPlaceholderData}>{list.data.length === 0 ? empty : children(list.data)}</Dimmed>
      )}
    </section>
  )
}

/** Ten rows of two lines, as high as what comes. */
function RowsLoading({ what }: { what: string }) {
  return (
    <div aria-busy>
      <output className="sr-only">Loading {what}</output>
      <div className="hidden border-b border-line pb-2.5 xl:block">
        <Skeleton className="h-5 w-full" />
      </div>
      {Array.from({ length: 10 }, (_, row) => (
        <div key={row} className="flex h-52 flex-col justify-center gap-2 border-b border-line last:border-0 sm:h-40 xl:h-15.5">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-16 xl:hidden" />
        </div>
      ))}
    </div>
  )
}
