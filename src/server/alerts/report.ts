import type { AlertReport } from '../../contract/alerts.ts'
import { addDays, daysBetween, earlier, eachDay, later } from '../../core/analytics/days.ts'
import type { FactsStore } from '../facts/store.ts'
import { viewOf } from './alert-view.ts'
import type { AlertRow, AlertsStore } from './alerts-store.ts'
import { dailyValues } from './daily-values.ts'
import { fromStored } from './names.ts'

/** Days shown before the judged week, and after it as far as they are there. */
const daysBefore = 49
const daysAfter = 28

export type ReportDeps = {
  store: AlertsStore
  facts: FactsStore
  /** Through which day a property is complete. */
  completeThrough: (propertyId: number) => Promise<string | null>
  /** What was sent about an alert; delivery knows. */
  deliveries: (alertId: string) => Promise<AlertReport['deliveries']>
}

/** Puts one alert's full report together. */
export function createReport({ store, facts, completeThrough, deliveries }: ReportDeps) {
  async function seriesOf(row: AlertRow): Promise<AlertReport['series']> {
    const { figures, entityKind, propertyId } = row
    if (!figures || entityKind === 'connection') return []
    const through = await completeThrough(propertyId)
    const { current, base } = figures.windows
    const start = earlier(base.start, addDays(current.start, -daysBefore))
    const end = earlier(addDays(current.end, daysAfter), later(through ?? current.end, current.end))
    const grain = entityKind === 'site' ? 'total' : entityKind
    const span = { start, end }
    const named = [{ property: propertyId, name: fromStored(row.entityName) }]
    const [[days], [stored]] = await Promise.all([
      facts.entityDays({ grain, properties: [propertyId], span, pick: { by: 'names', named } }),
      facts.storedDays({ grains: [grain], properties: [propertyId], spans: [span] }),
    ])
    const known = new Set(stored?.dates)
    const values = dailyValues(row.type, days, daysBetween(start, end))
    return eachDay(start, end).map((date, index) => ({
      date,
      value: known.has(date) ? (values[index] ?? null) : null,
      complete: known.has(date) && through !== null && date <= through,
    }))
  }

  return async (row: AlertRow): Promise<AlertReport> => ({
    ...viewOf(row),
    series: await seriesOf(row),
    contributors: row.contributors.map(({ entity, current, previous, change }) => ({
      entity: { kind: entity.kind, name: fromStored(entity.name) },
      currentValue: current,
      previousValue: previous,
      change,
    })),
    timeline: (await store.timeline(row.id)).map(({ at, fromState, toState, reason, by }) => ({
      at: at.toISOString(),
      from: fromState,
      to: toState,
      reason,
      by,
    })),
    deliveries: await deliveries(String(row.id)),
  })
}
