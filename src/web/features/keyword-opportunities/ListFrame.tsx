import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ComparedDays } from '../../widgets/analytics/ComparedFigure.tsx'
import { ListCoverage } from '../../widgets/analytics/coverage/ListCoverage.tsx'
import { whyNotListed } from '../../widgets/analytics/coverage/list-coverage.ts'
import { NotListed } from '../../widgets/analytics/coverage/NotListed.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import type { KeywordSummary } from './use-keyword-summary.ts'

type ListFrameProps<Row> = {
  /** The list's label for screen readers. */
  label: string
  property: string
  /** For the error message: `keywords`. */
  what: string
  list: { data: readonly Row[] | undefined; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown }
  about: KeywordSummary
  /** Above the rows, even if there are none. */
  head?: ReactNode
  /** Shown if there are no rows, unless their days aren't stored. */
  empty: ReactNode
  /** The stored list that rows come from. */
  from?: 'keywords' | 'pairs'
  children: (rows: readonly Row[]) => ReactNode
}

/** A list's card: its rows, with earlier ones dimmed while loading, or why there are none. */
export function ListFrame<Row>({ label, property, what, list, about, head, empty, from = 'keywords', children }: ListFrameProps<Row>) {
  const again = () => {
    void list.refetch()
    if (about.error !== null) about.retry()
  }
  const why = about.summary ? whyNotListed(about.summary, from) : null
  return (
    <section aria-label={label} className="rounded-card border border-line bg-surface p-4 sm:p-6">
      {head}
      {list.error !== null ? (
        <LoadProblem what={what} property={property} error={list.error} onRetry={again} />
      ) : list.data === undefined || (list.data.length === 0 && list.isPlaceholderData) ? (
        <RowsLoading what={what} />
      ) : (
        <ComparedDays of={about.summary}>
          <Dimmed when={list.isPlaceholderData}>
            {list.data.length > 0 ? children(list.data) : why === null ? empty : <NotListed of="keyword">{why}</NotListed>}
          </Dimmed>
        </ComparedDays>
      )}
    </section>
  )
}

/** Ten rows, the height of the content. */
export function RowsLoading({ what }: { what: string }) {
  return (
    <div aria-busy>
      <output className="sr-only">Loading {what}</output>
      <Skeleton className="mb-2 h-10 w-full" />
      <Skeleton className="hidden h-11 w-full md:block" />
      {Array.from({ length: 10 }, (_, row) => (
        <div key={row} className="flex h-16 flex-col justify-center gap-2 border-b border-line last:border-0">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      ))}
    </div>
  )
}

/** Shown if there are no keywords at all. */
export function NoKeywords() {
  return (
    <EmptyState
      icon={<KeyRound aria-hidden />}
      title="No keyword data available. Please ensure your Google Search Console is connected."
      actions={
        <Link to={paths.account} className={buttonClass()}>
          Check connection
        </Link>
      }
    >
      This property’s keywords will appear here once its data comes in.
    </EmptyState>
  )
}

type NothingMatchesProps = {
  icon: ReactNode
  title: string
  onClear: (change: { brand: 'all'; segment: ''; search: '' }) => void
}

/** Shown if no keywords pass the filters. */
export function NothingMatches({ icon, title, onClear }: NothingMatchesProps) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      actions={<Button onClick={() => onClear({ brand: 'all', segment: '', search: '' })}>Show all keywords</Button>}
    >
      Try another search, or show all keywords.
    </EmptyState>
  )
}

type CoverageProps = {
  about: KeywordSummary
  /** The loaded rows. */
  shown: readonly { clicks: number }[]
}

/** Below a list: how much of the total its rows explain. */
export function Coverage({ about, shown }: CoverageProps) {
  const clicks = shown.reduce((sum, row) => sum + row.clicks, 0)
  return (
    <UnderList>
      {about.error === null ? (
        <ListCoverage summary={about.summary} what="keywords" shown={{ rows: shown.length, clicks }} />
      ) : (
        <CoverageProblem onRetry={about.retry} />
      )}
    </UnderList>
  )
}

export function UnderList({ children }: { children: ReactNode }) {
  return <div className="mt-4 flex flex-col gap-1 border-t border-line pt-4 text-sm text-muted">{children}</div>
}

function CoverageProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert">
      Unable to load these keywords’ share of clicks.{' '}
      <button type="button" className="font-medium text-brand hover:underline" onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}
