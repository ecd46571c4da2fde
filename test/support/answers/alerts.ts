import { type Alert, severity } from '../../../src/contract/alerts/alerts.ts'
import { markupOf, sentenceOf, titleOf } from '../../../src/core/alerting/copy.ts'
import { alertOf, now } from './usual.ts'

/** An alert about a changed figure, worded like the server's. */
export function shownAlert(change: Partial<Alert> = {}): Alert {
  const alert = alertOf(change)
  const { type: metric, entity, currentValue: current, previousValue: previous, current: days, previous: base } = alert
  if (entity.kind === 'connection' || days === null || base === null) return alert
  const finding = { kind: 'change', metric, entity: { ...entity, kind: entity.kind }, previous, current, change: alert.change } as const
  const words = { ...finding, windows: { current: days, base } }
  return { ...alert, title: titleOf(words), description: markupOf(sentenceOf(words)), ...change }
}

export const aboutQuery = (name: string) => ({ kind: 'query', name }) as const

/** An alert about a query's clicks, some hours ago. */
export const queryAlert = (name: string, hoursAgo: number, change: Partial<Alert> = {}): Alert =>
  shownAlert({
    entity: aboutQuery(name),
    severity: 'warning',
    previousValue: 200,
    currentValue: 150,
    change: -25,
    timestamp: new Date(now.getTime() - hoursAgo * 3_600_000).toISOString(),
    ...change,
  })

/** Where `View in GSC` leads from an alert: to its page or query on its days. */
export function atSearchConsole({ target, entity, current }: Alert): string {
  const start = 'https://search.google.com/search-console'
  const resource = `resource_id=${encodeURIComponent(target)}`
  if (entity.kind !== 'page' && entity.kind !== 'query') return `${start}?${resource}`
  const filter = new URLSearchParams({ [entity.kind]: `!${entity.name}` })
  const day = (date: string) => date.replaceAll('-', '')
  const days = current === null ? '' : `&start_date=${day(current.start)}&end_date=${day(current.end)}`
  return `${start}/performance/search-analytics?${resource}&${filter}${days}`
}

const fallen = [
  { path: 'lamps', clicks: 2_000, factor: 0.4 },
  { path: 'beds', clicks: 600, factor: 0.5 },
  { path: 'rugs/handwoven-wool-rugs-from-the-mountains', clicks: 1_000, factor: 0.75 },
  { path: 'sofas', clicks: 500, factor: 0.8 },
  { path: 'shelves', clicks: 400, factor: 0.85 },
  { path: 'chairs', clicks: 800, factor: 0.875 },
] as const

/** Six pages lost clicks, and as many queries impressions; found an hour ago, most severe first. */
export function twelveAlerts(): Alert[] {
  const about = (type: 'clicks' | 'impressions') =>
    fallen.map(({ path, clicks, factor }) =>
      shownAlert({
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

/** Latest first; of the same time, most severe first. */
export function inOrder(alerts: readonly Alert[]): Alert[] {
  const levels: readonly string[] = severity.options
  return alerts.toSorted(
    (a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp) || levels.indexOf(a.severity) - levels.indexOf(b.severity),
  )
}
