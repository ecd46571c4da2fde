import { type Alert, type AlertReport, alertIds, alertsQuery, severity, snooze } from '../../../src/contract/alerts.ts'
import { markupOf, sentenceOf, titleOf } from '../../../src/core/alerting/words.ts'
import { addDays } from '../../../src/core/analytics/days.ts'
import type { Asked, Desk } from './desk.ts'
import { alertOf, now } from './usual.ts'

/** An alert about a figure that changed, in the words that the server has for it. */
export function toldAlert(change: Partial<Alert> = {}): Alert {
  const alert = alertOf(change)
  const { type: metric, entity, currentValue: current, previousValue: previous, current: days, previous: base } = alert
  if (entity.kind === 'connection' || days === null || base === null) return alert
  const told = { kind: 'change', metric, entity: { ...entity, kind: entity.kind }, previous, current, change: alert.change } as const
  const words = { ...told, windows: { current: days, base }, comparison: 'previous_7_days' } as const
  return { ...alert, title: titleOf(words), description: markupOf(sentenceOf(words)), ...change }
}

export const aboutQuery = (name: string) => ({ kind: 'query', name }) as const

/** An alert about the clicks of a query, some hours ago. */
export const queryAlert = (name: string, hoursAgo: number, change: Partial<Alert> = {}): Alert =>
  toldAlert({
    entity: aboutQuery(name),
    severity: 'warning',
    previousValue: 200,
    currentValue: 150,
    change: -25,
    timestamp: new Date(now.getTime() - hoursAgo * 3_600_000).toISOString(),
    ...change,
  })

const fallen = [
  { path: 'lamps', clicks: 2_000, factor: 0.4 },
  { path: 'beds', clicks: 600, factor: 0.5 },
  { path: 'rugs/handwoven-wool-rugs-from-the-mountains', clicks: 1_000, factor: 0.75 },
  { path: 'sofas', clicks: 500, factor: 0.8 },
  { path: 'shelves', clicks: 400, factor: 0.85 },
  { path: 'chairs', clicks: 800, factor: 0.875 },
] as const

/** Clicks of six pages fell, and impressions of as many queries with them; found an hour ago, the most severe first. */
export function twelveAlerts(): Alert[] {
  const about = (type: 'clicks' | 'impressions') =>
    fallen.map(({ path, clicks, factor }) =>
      toldAlert({
        type,
        severity: factor < 0.7 ? 'critical' : 'warning',
        entity: type === 'clicks' ? { kind: 'page', name: `https://lumenandloom.example/${path}` } : aboutQuery(path),
        previousValue: clicks * 7,
        currentValue: clicks * 7 * factor,
        change: (factor - 1) * 100,
        data: Array.from({ length: 28 }, (_, index) => clicks * (index < 21 ? 1 : factor)),
      }),
    )
  return inOrder([...about('clicks'), ...about('impressions')])
}

/** Its full report, of which the list tells all but the life. */
export const reportOfAlert = (alert: Alert, change: Partial<AlertReport> = {}): AlertReport => ({
  ...alert,
  series: alert.current === null ? [] : seriesOf(alert.data, alert.current.end),
  previousSeries: [],
  viewedAt: alert.viewed ? now.toISOString() : null,
  contributors: [],
  timeline: [{ at: alert.timestamp, from: null, to: 'firing', reason: 'condition_met', by: null }],
  deliveries: [],
  ...change,
})

const seriesOf = (data: readonly number[], end: string): AlertReport['series'] =>
  data.map((value, index) => ({ date: addDays(end, index + 1 - data.length), value, complete: true }))

export type KeptAlerts = {
  all(): readonly Alert[]
  /** The one whose title holds these words. */
  about(words: string): Alert
  add(...alerts: Alert[]): void
}

/** Answers all that is asked about these alerts, and keeps what is done about them. */
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
  desk.answer('GET /api/alerts/:id', ({ params }) => reportOfAlert(one(params['id'])))
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

/** The latest first; of one moment the most severe. */
function inOrder(alerts: readonly Alert[]): Alert[] {
  const levels: readonly string[] = severity.options
  return alerts.toSorted(
    (a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp) || levels.indexOf(a.severity) - levels.indexOf(b.severity),
  )
}

type Filter = Omit<ReturnType<typeof alertsQuery.parse>, 'limit' | 'offset'>

/** With `from`, those that last count as well, however old. */
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
