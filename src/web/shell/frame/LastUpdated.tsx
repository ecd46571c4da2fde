import type { SyncStatus } from '../../../contract/sync.ts'
import { historyProgress, isUnderWay } from '../../api/sync.ts'
import { formatDay, formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'
import { useSyncStatus } from '../use-sync-status.ts'

// From tablets up it shares one line with the property's name, which needs the room more. What is hidden there is still read by
// screen readers, and the tooltip shows it.
const whereWide = 'md:sr-only md:@min-[42rem]:not-sr-only'
const onPhones = 'md:sr-only'

/** When data last came in, and through which day it will not change any more; how far the history is while it comes in. */
export function LastUpdated() {
  const status = useSyncStatus()
  const now = useNow()
  const { main, more, rest } = status === null ? { main: 'Last updated:' } : describe(status, now)
  const all = `${main}${more ?? ''}${rest ?? ''}`
  return (
    <p className="basis-full text-xs text-muted tabular-nums md:ml-auto md:min-w-40 md:shrink-0 md:basis-auto md:text-right md:@min-[42rem]:min-w-76">
      <Tooltip below content={all}>
        <button
          type="button"
          aria-label={all}
          className="cursor-default text-left max-md:line-clamp-2 max-[22.5rem]:min-h-[2lh] md:min-h-10 md:whitespace-nowrap"
        >
          {main}
          {more && <span className={whereWide}>{more}</span>}
          {rest && <span className={onPhones}>{rest}</span>}
        </button>
      </Tooltip>
    </p>
  )
}

/** `main` is always shown, `more` where the line is wide enough and on phones, `rest` on phones, which have a second line for it. */
function describe(status: SyncStatus, now: Date): { main: string; more?: string; rest?: string } {
  const { lastSyncedAt, completeThrough } = status
  const history = historyProgress(status)
  const updated = `Last updated: ${lastSyncedAt === null ? 'not yet' : formatMoment(new Date(lastSyncedAt), now)}`
  if (history !== null) {
    const left = history.left === null ? {} : { more: `, ${history.left}` }
    return { main: history.days, ...left, ...(lastSyncedAt !== null && { rest: `. ${updated}` }) }
  }
  if (isUnderWay(status)) return { main: updated, more: ', syncing' }
  return completeThrough === null ? { main: updated } : { main: updated, more: `, complete through ${formatDay(completeThrough)}` }
}
