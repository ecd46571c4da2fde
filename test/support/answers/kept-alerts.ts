import { type Alert, alertIds, alertsQuery, newVerdict, snooze } from '../../../src/contract/alerts/alerts.ts'
import { inOrder } from './alerts.ts'
import type { Asked, Desk } from './desk.ts'
import { reportOf } from './report.ts'

export type KeptAlerts = {
  all(): readonly Alert[]
  /** The one whose title contains these words. */
  about(words: string): Alert
  add(...alerts: Alert[]): void
}

/** Answers all requests about these alerts, and stores actions on them. */
export function keepAlerts(desk: Desk, alerts: readonly Alert[]): KeptAlerts {
  let kept = inOrder(alerts)
  const listed = ({ query }: Asked) => {
    const { limit, offset, ...filter } = alertsQuery.parse(Object.fromEntries(query))
    const matching = kept.filter((alert) => isMatching(alert, filter))
    return { count: matching.length, rows: matching.slice(offset, offset + limit) }
  }
  const change = (ids: readonly string[], changed: (alert: Alert) => Partial<Alert>): Alert[] => {
    kept = kept.map((alert) => (ids.includes(alert.id) ? { ...alert, ...changed(alert) } : alert))
    return kept.filter(({ id }) => ids.includes(id))
  }
  const one = (id: string | undefined): Alert => {
    const found = kept.find((alert) => alert.id === id)
    if (!found) throw new Error(`No alert ${id}`)
    return found
  }
  const toState = (alert: Alert, state: Alert['state'], until: string | null = null): Partial<Alert> =>
    alert.state === 'recovered' ? {} : { state, snoozedUntil: until }

  desk.answer('GET /api/alerts', (asked) => listed(asked).rows)
  desk.answer('GET /api/alerts/count', (asked) => ({ count: listed(asked).count }))
  desk.answer('GET /api/alerts/:id', ({ params }) => reportOf(one(params['id'])))
  desk.answer('POST /api/alerts/acknowledge', ({ body }) => change(alertIds.parse(body).ids, (alert) => toState(alert, 'acknowledged')))
  desk.answer('POST /api/alerts/viewed', ({ body }) => change(alertIds.parse(body).ids, () => ({ viewed: true })))
  desk.answer('POST /api/alerts/view-all', () => {
    const fresh = kept.filter(({ viewed }) => !viewed)
    change(
      fresh.map(({ id }) => id),
      () => ({ viewed: true }),
    )
    return { count: fresh.length }
  })
  desk.answer('POST /api/alerts/:id/snooze', ({ params, body }) => {
    const { id } = one(params['id'])
    change([id], (alert) => toState(alert, 'snoozed', snooze.parse(body).until))
    return one(id)
  })
  desk.answer('POST /api/alerts/:id/unsnooze', ({ params }) => {
    const { id } = one(params['id'])
    change([id], (alert) => toState(alert, 'firing'))
    return one(id)
  })

  desk.answer('POST /api/alerts/:id/verdict', ({ params, body }) => {
    const { id } = one(params['id'])
    change([id], () => newVerdict.parse(body))
    return one(id)
  })

  return {
    all: () => kept,
    about(words) {
      const found = kept.find(({ title }) => title.includes(words))
      if (!found) throw new Error(`No alert about ${words}`)
      return found
    },
    add(...more) {
      kept = inOrder([...kept, ...more])
    },
  }
}

type Filter = Omit<ReturnType<typeof alertsQuery.parse>, 'limit' | 'offset'>

/** With `from`, ongoing ones count as well, however old. */
function isMatching(alert: Alert, { property, severity: level, from, to, state, viewed }: Filter): boolean {
  const day = alert.timestamp.slice(0, 10)
  return (
    (property === undefined || property === 'all' || alert.target === property) &&
    (level === undefined || alert.severity === level) &&
    (from === undefined || day >= from || alert.state !== 'recovered') &&
    (to === undefined || day <= to) &&
    (state === 'all' || alert.state !== 'recovered') &&
    (viewed === undefined || alert.viewed === viewed)
  )
}
