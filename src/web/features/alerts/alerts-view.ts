import type { Alert } from '../../../contract/alerts/alerts.ts'
import type { Selection } from './use-selection.ts'

/** The input of both views of the alerts. */
export type AlertsViewProps = {
  /** Undefined while loading. */
  alerts: readonly Alert[] | undefined
  now: Date
  selection: Selection
  onCreate: () => void
}

export const nothingFound = {
  title: 'No alerts at this time',
  text: 'No rules fired in this range, and no earlier alerts are still open.',
} as const
