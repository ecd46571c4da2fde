import type { Alert, AlertVerdict } from '../../../contract/alerts/alerts.ts'

/** What a person can do with alerts. */
export type AlertAction =
  | { kind: 'acknowledge' | 'unsnooze' | 'view'; ids: readonly string[] }
  | { kind: 'snooze'; ids: readonly [string]; until: Date }
  | { kind: 'rate'; ids: readonly [string]; verdict: AlertVerdict | null }

type Life = Pick<Alert, 'state' | 'snoozedUntil' | 'viewed' | 'verdict'>

export const canAcknowledge = ({ state }: Pick<Alert, 'state'>): boolean => state === 'firing' || state === 'snoozed'

/** A recovered alert stays recovered. */
export const canSnooze = ({ state }: Pick<Alert, 'state'>): boolean => state !== 'recovered'

/** A broken connection is not a matter of opinion. */
export const canRate = ({ entity }: Pick<Alert, 'entity'>): boolean => entity.kind !== 'connection'

/** The alert as the server will return it after the action; unchanged if the action doesn't apply. */
export function afterAction<A extends Life & { id: string }>(alert: A, action: AlertAction): A {
  if (!action.ids.includes(alert.id)) return alert
  switch (action.kind) {
    case 'view':
      return { ...alert, viewed: true }
    case 'acknowledge':
      return canAcknowledge(alert) ? { ...alert, state: 'acknowledged', snoozedUntil: null } : alert
    case 'snooze':
      return canSnooze(alert) ? { ...alert, state: 'snoozed', snoozedUntil: action.until.toISOString() } : alert
    case 'rate':
      return { ...alert, verdict: action.verdict }
    case 'unsnooze':
      return alert.state === 'snoozed' ? { ...alert, state: 'firing', snoozedUntil: null } : alert
  }
}

/** The alert with its earlier state. */
export const withLifeOf = <A extends Life>(alert: A, { state, snoozedUntil, viewed, verdict }: Life): A => ({
  ...alert,
  state,
  snoozedUntil,
  viewed,
  verdict,
})
