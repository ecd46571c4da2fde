import { type Alert, severity } from '../../../contract/alerts/alerts.ts'

/** As many as fit into one row. */
const most = 2

/** Of open alerts, the latest first: those of the worst severity there is, less what somebody has acknowledged or snoozed. */
export function mostSevere(alerts: readonly Alert[]): Alert[] {
  const firing = alerts.filter(({ state }) => state === 'firing')
  const worst = severity.options.find((each) => firing.some((alert) => alert.severity === each))
  return firing.filter((alert) => alert.severity === worst).slice(0, most)
}
