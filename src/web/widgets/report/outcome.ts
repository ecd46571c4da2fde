import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { endingWords } from '../../../core/alerting/ending.ts'
import { formatDay } from '../../lib/dates.ts'

type Ended = Pick<NonNullable<PeriodicReport['advanced']>['alerts'][number], 'state' | 'endedAt' | 'endedAs'>

/** An alert's outcome in a word or two. Days in UTC, so that every reader sees the same. */
export function outcomeOf({ state, endedAt, endedAs }: Ended): string {
  if (endedAt !== null) return `${endingWords[endedAs ?? 'ended'].toLowerCase()} ${formatDay(endedAt.slice(0, 10), true)}`
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
