import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { formatDay } from '../../lib/dates.ts'

type Ended = Pick<NonNullable<PeriodicReport['advanced']>['alerts'][number], 'state' | 'endedAt'>

/** An alert's outcome in a word or two. Days in UTC, so that every reader sees the same. */
export function outcomeOf({ state, endedAt }: Ended): string {
  if (endedAt !== null) return `ended ${formatDay(endedAt.slice(0, 10), true)}`
  switch (state) {
    case 'firing':
      return 'still open'
    case 'acknowledged':
      return 'acknowledged, still open'
    case 'snoozed':
      return 'snoozed, still open'
    case 'recovered':
      return 'recovered'
  }
}
