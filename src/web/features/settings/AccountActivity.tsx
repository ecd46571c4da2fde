import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auditDays, type AuditEvent } from '../../../contract/audit.ts'
import { activityWords } from '../../../core/accounts/copy.ts'
import { auditQuery } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { formatInstant } from '../../lib/dates.ts'
import { deviceOf } from '../../lib/device.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** Initially, so that content after the list stays visible. */
const shownAtFirst = 8

export function AccountActivity() {
  return (
    <section aria-labelledby="account-activity">
      <h3 id="account-activity" className="font-semibold">
        Account activity
      </h3>
      <p className="mt-1 max-w-[70ch] text-muted">
        Logins, API keys and account changes from the last {auditDays} days, and where they came from. If something wasn't you, change your
        password and log out other sessions.
      </p>
      <div className="mt-4">
        <Activity />
      </div>
    </section>
  )
}

function Activity() {
  const [all, setAll] = useState(false)
  const { data, error, refetch, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(auditQuery)
  const events = data?.pages.flatMap((page) => page.events)
  if (events === undefined && error === null) return <Skeleton className="h-40 max-w-2xl" />
  if (events === undefined) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p>{failureText(error, "Couldn't load your account activity.")}</p>
        <Button disabled={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (events.length === 0) return <p className="text-muted">No activity yet. Logins and changes will appear here.</p>
  const isMore = all ? hasNextPage : hasNextPage || events.length > shownAtFirst
  return (
    <>
      <ActivityList events={all ? events : events.slice(0, shownAtFirst)} />
      {isFetchNextPageError && (
        <p role="alert" className="mt-3">
          {failureText(error, "Couldn't load older activity. Please try again.")}
        </p>
      )}
      {isMore && (
        <Button className="mt-4" disabled={isFetchingNextPage} onClick={() => (all ? void fetchNextPage() : setAll(true))}>
          {isFetchingNextPage ? 'Loading...' : 'Show older activity'}
        </Button>
      )}
    </>
  )
}

function ActivityList({ events }: { events: readonly AuditEvent[] }) {
  const now = useNow()
  return (
    <ul aria-labelledby="account-activity" className="divide-y divide-line">
      {events.map((event) => (
        <li key={event.id} className="py-2.5 first:pt-0 last:pb-0 sm:flex sm:items-baseline sm:gap-4">
          <time dateTime={event.at} className="block shrink-0 text-sm text-muted tabular-nums sm:w-36">
            {formatInstant(new Date(event.at), now)}
          </time>
          <div className="min-w-0">
            <p className="break-words">{activityWords(event.change)}</p>
            <p className="text-sm break-words text-muted">{originOf(event)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Who it was: `Firefox on Windows · 203.0.113.7`, `API key “Looker” · 203.0.113.7`, or Ranklark itself. */
function originOf({ by, key, userAgent, address }: AuditEvent): string {
  if (by === 'house') return 'By Ranklark'
  const program = key === null ? deviceOf(userAgent).name : `API key “${key}”`
  return address === null ? program : `${program} · ${address}`
}
