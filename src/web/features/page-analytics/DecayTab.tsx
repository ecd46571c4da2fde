import { useQuery } from '@tanstack/react-query'
import { History, TrendingUp } from 'lucide-react'
import type { Decay } from '../../../contract/pages.ts'
import { decayQuery } from '../../api/analytics.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { decayQuestion, tooLittleHistory } from './decay-words.ts'
import { DecayTable } from './DecayTable.tsx'
import { PageFilters } from './PageFilters.tsx'
import { filterOf, listLimit, type PagesView, type ShowPages, tableRows } from './page-view.ts'
import type { PagesTabProps } from './PerformanceTab.tsx'

/** Pages that lose their visitors little by little, which no comparison of two periods shows. */
export function DecayTab({ property, view, show }: PagesTabProps) {
  const { days, search } = filterOf(view)
  const { data, error, isPlaceholderData, refetch } = useQuery(decayQuery(property, { days, search, limit: listLimit }))
  return (
    <>
      <PageFilters view={view} show={show} />
      <div className="mt-5 min-h-160">
        {error !== null ? (
          <LoadProblem what="content decay" property={property} error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Spinner label="Loading pages" />
        ) : (
          <Dimmed when={isPlaceholderData}>
            <p className="max-w-[70ch] text-muted">{decayQuestion(days)}</p>
            <div className="mt-4">
              <Found decay={data} view={view} show={show} />
            </div>
          </Dimmed>
        )}
      </div>
    </>
  )
}

function Found({ decay, view, show }: { decay: Decay | null; view: PagesView; show: ShowPages }) {
  const { days, search } = filterOf(view)
  if (decay === null || !decay.complete) {
    return (
      <EmptyState
        icon={<History aria-hidden />}
        title="Not enough history yet"
        actions={days > 7 && <Button onClick={() => show({ days: '7' })}>Show last 7 days</Button>}
      >
        <p>{tooLittleHistory(days, decay?.periods ?? [])}</p>
      </EmptyState>
    )
  }
  if (decay.pages.length === 0) {
    return (
      <EmptyState
        icon={<TrendingUp aria-hidden />}
        title="No decaying pages"
        actions={search !== undefined && <Button onClick={() => show({ search: '' })}>Clear search</Button>}
      >
        <p className="wrap-anywhere">
          {search === undefined
            ? 'No page has three straight periods of falling clicks.'
            : `No page with “${search}” in its URL has three straight periods of falling clicks.`}
        </p>
      </EmptyState>
    )
  }
  return (
    <>
      <DecayTable periods={decay.periods} pages={decay.pages.slice(0, tableRows)} />
      {decay.pages.length > tableRows && (
        <p className="mt-4 text-sm text-muted">Only the first {formatCount(tableRows)} are listed. Export includes all of them.</p>
      )}
    </>
  )
}
