import type { Alert } from '../../../contract/alerts/alerts.ts'
import type { Selection } from './use-selection.ts'

/** What both views of the alerts are given. */
export type AlertsViewProps = {
  /** Undefined while they are on their way. */
  alerts: readonly Alert[] | undefined
  now: Date
  selection: Selection
  onCreate: () => void
}

export const nothingFound = {
  title: 'No alerts at this time',
  text: 'No rule triggered in this range, and no earlier alert is still open.',
} as const
