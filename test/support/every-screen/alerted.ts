import type { Alert } from '../../../src/contract/alerts/alerts.ts'
import { aboutQuery, queryAlert, shownAlert } from '../answers/alerts.ts'
import { keepAlerts } from '../answers/kept-alerts.ts'
import type { Desk } from '../answers/desk.ts'
import { reportOf } from '../answers/report.ts'
import { clinic } from '../answers/shell.ts'
import { now } from '../answers/usual.ts'
import { watchful } from './people.ts'

const before = (hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString()
const longPage = `${clinic}lamps/floor-lamps/arched-oak-reading-lamp-with-linen-shade?color=natural`

/** Alerts of every severity and state, about short and long names, and `others` too. */
const alertsOf = (others: number): Alert[] =>
  [
    shownAlert({
      entity: { kind: 'page', name: longPage },
      timestamp: before(1),
      previousValue: 12_400,
      currentValue: 7_680,
      change: -38.06,
    }),
    queryAlert('reading lamp', 20, { type: 'position', previousValue: 3.2, currentValue: 7.6, change: 4.4, state: 'acknowledged' }),
    shownAlert({
      severity: 'positive',
      type: 'impressions',
      entity: { kind: 'site', name: clinic },
      timestamp: before(70),
      previousValue: 21_400,
      currentValue: 34_250,
      change: 60.05,
      state: 'recovered',
    }),
    queryAlert('lamp', 90, {
      severity: 'info',
      entity: aboutQuery('lamp'),
      previousValue: null,
      currentValue: 40,
      change: null,
      viewed: true,
    }),
    ...Array.from({ length: others }, (_, index) => queryAlert(`query ${index}`, 100 + index)),
  ].map((alert) => ({ ...alert, target: clinic }))

/** A user with a few alerts. */
export function worried(desk: Desk): void {
  watchful(desk)
  keepAlerts(desk, alertsOf(0))
}

/** A user with alerts, none of them critical. */
export function uncritical(desk: Desk): void {
  watchful(desk)
  keepAlerts(
    desk,
    alertsOf(0).filter(({ severity }) => severity !== 'critical'),
  )
}

/** A user with more alerts than fit on a page; any other id is that of the first. */
export function alerted(desk: Desk): void {
  watchful(desk)
  const alerts = keepAlerts(desk, alertsOf(110))
  desk.answer('GET /api/alerts/:id', ({ params }) => reportOf(alerts.all().find(({ id }) => id === params['id']) ?? alerts.all()[0]))
}
