import type { AuditEvent } from '../../../contract/audit.ts'
import { activityWords } from '../../../core/accounts/activity-words.ts'
import { formatInstant } from '../../lib/dates.ts'
import { deviceOf } from '../../lib/device.ts'
import { useNow } from '../../lib/hooks/use-now.ts'

export function ActivityList({ events }: { events: readonly AuditEvent[] }) {
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

/** Who it was: `Firefox on Windows · 203.0.113.7`, `API key “Looker” · 203.0.113.7`, or Ranklark by itself. */
function originOf({ by, key, userAgent, address }: AuditEvent): string {
  if (by === 'house') return 'By Ranklark'
  const program = key === null ? deviceOf(userAgent).name : `API key “${key}”`
  return address === null ? program : `${program} · ${address}`
}
