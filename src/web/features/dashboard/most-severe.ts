import { type Alert, severity } from '../../../contract/alerts/alerts.ts'

/** Of open alerts, latest first: the latest of the worst severity present, except acknowledged and snoozed ones. */
export function mostSevere(alerts: readonly Alert[]): Alert | null {
  const firing = alerts.filter(({ state }) => state === 'firing')
  const worst = severity.options.find((each) => firing.some((alert) => alert.severity === each))
  return firing.find((alert) => alert.severity === worst) ?? null
}
