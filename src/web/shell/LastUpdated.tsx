import type { SyncStatus } from '../../contract/sync.ts'
import { historyProgress, isUnderWay } from '../api/sync.ts'
import { formatDay, formatMoment } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { Tooltip } from '../ui/Tooltip.tsx'
import { useSyncStatus } from './use-sync-status.ts'

// From tablets on it shares the header's line with the property, whose name goes first: what does not fit beside it is for screen
// readers there, and for whoever points at it, comes to it with the keyboard or taps it.
const whereWide = 'md:sr-only md:@min-[42rem]:not-sr-only'
const onPhones = 'md:sr-only'

/** When data last came in, and through which day it will not change any more; how far the history is while it comes in. */
export function LastUpdated() {
  const status = useSyncStatus()
  const now = useNow()
  const { first, then, last } = status === null ? { first: 'Last updated:' } : describe(status, now)
  const all = `${first}${then ?? ''}${last ?? ''}`
  return (
    <p className="basis-full text-xs text-muted tabular-nums md:ml-auto md:min-w-40 md:shrink-0 md:basis-auto md:text-right md:@min-[42rem]:min-w-76">
      <Tooltip below content={all}>
        <button
          type="button"
          aria-label={all}
          className="cursor-default text-left max-md:line-clamp-2 max-[22.5rem]:min-h-[2lh] md:min-h-10 md:whitespace-nowrap"
        >
          {first}
          {then && <span className={whereWide}>{then}</span>}
          {last && <span className={onPhones}>{last}</span>}
        </button>
      </Tooltip>
    </p>
  )
}

/** What matters most, and what is added where there is room for it: wherever the line is wide, and on phones, where it has two. */
function describe(status: SyncStatus, now: Date): { first: string; then?: string; last?: string } {
  const { lastSyncedAt, completeThrough } = status
  const history = historyProgress(status)
  const updated = `Last updated: ${lastSyncedAt === null ? 'not yet' : formatMoment(new Date(lastSyncedAt), now)}`
  if (history !== null) {
    const left = history.left === null ? {} : { then: `, ${history.left}` }
    return { first: history.days, ...left, ...(lastSyncedAt !== null && { last: `. ${updated}` }) }
  }
  if (isUnderWay(status)) return { first: updated, then: ', syncing' }
  return completeThrough === null ? { first: updated } : { first: updated, then: `, complete through ${formatDay(completeThrough)}` }
}
