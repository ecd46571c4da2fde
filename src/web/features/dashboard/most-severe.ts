import { type Alert, severity } from '../../../contract/alerts/alerts.ts'

/** As many as fit in one row. */
const most = 2

/** Of open alerts, latest first: those with the worst severity present, except acknowledged and snoozed ones. */
export function mostSevere(alerts: readonly Alert[]): Alert[] {
  const firing = alerts.filter(({ state }) => state === 'firing')
  const worst = severity.options.find((each) => firing.some((alert) => alert.severity === each))
  return firing.filter((alert) => alert.severity === worst).slice(0, most)
}
