import { setImmediate as nextTurn } from 'node:timers/promises'
import { countedAlikeSince, isInterrupted } from '../../../core/analytics/anomalies.ts'
import { addDays, daysBetween, eachDay, later } from '../../../core/analytics/days.ts'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import { topCount } from '../../../core/alerting/rule.ts'
import { isComplete } from '../../../core/alerting/windows.ts'
import { isComparedWithBefore } from '../../../core/alerting/unusual/many.ts'
import { evaluateRates, evaluateShared, type RateHistory, ratesOf } from '../../../core/alerting/unusual/rates.ts'
import { rateDays } from '../../../core/detection/click-rates.ts'
import { type EntityDays, entityDays } from '../../facts/questions/entity-days.ts'
import type { Within } from '../../facts/filter-sql.ts'
import type { FactsStore } from '../../facts/store.ts'
import { lastingOf } from './lasting.ts'
import type { EvaluatedUnusual, WantedUnusual } from './unusual.ts'
import { entityFigures, type EntityFiguresRow } from '../../facts/questions/entity-figures.ts'
import { storedDays } from '../../facts/stored-days.ts'

/** How many days before the longer window decide which queries have most clicks. */
const topDays = 56
const longest = 14
export const topDaysOf = (through: IsoDate): [start: IsoDate, end: IsoDate] => [
  addDays(through, 1 - longest - topDays),
  addDays(through, -longest),
]

/**
 * Evaluates rules about the CTR of queries, all through the same day. The top queries are read even if others were chosen, since a change
 * they all share says nothing about one.
 */
export async function evaluateUnusualRates(facts: FactsStore, group: readonly WantedUnusual[]): Promise<EvaluatedUnusual[]> {
  const through = group[0]?.property.through
  if (through === undefined) return []
  const within = group[0]?.scope?.within
  const properties = [...new Set(group.map(({ property }) => property.id))]
  const span = { start: addDays(through, 1 - rateDays), end: through }
  const [topFrom] = topDaysOf(through)
  const [top, storedOf] = await Promise.all([
    topQueries(facts, properties, through, within),
    facts.ask(storedDays, { type: within?.type, grains: [within?.grain ?? 'query'], properties, spans: [span] }),
  ])
  const others = group.flatMap(({ property, rule, alerts }) =>
    [...rule.targets, ...alerts.filter(isAboutQuery).map(({ entityName }) => entityName)].map((name) => ({ property: property.id, name })),
  )
  const named = [...top.map(({ property, name }) => ({ property, name })), ...others]
  const rows =
    named.length === 0 ? [] : await facts.ask(entityDays, { grain: 'query', properties, span, pick: { by: 'names', named }, within })
  const byProperty = Map.groupBy(rows, ({ property }) => property)
  const stored = new Map(storedOf.map((days) => [days.property, days]))
  const evaluated: EvaluatedUnusual[] = []
  for (const { property, rule, alerts } of group) {
    await nextTurn()
    const days = stored.get(property.id)
    const known = new Set(days?.dates)
    // A week with an unknown day says nothing, neither that a change lasts nor that it is over.
    const week = { start: addDays(through, -6), end: through }
    const isBroken = isInterrupted('ctr', week, rule.searchType) || !isComplete(week, known)
    const isWaiting = isBroken || (property.isGrowing && (property.backfilledFrom === null || property.backfilledFrom > topFrom))
    if (isWaiting) {
      evaluated.push({ propertyId: property.id, ruleId: rule.id, verdicts: null })
      continue
    }
    const from = property.isGrowing ? later(property.backfilledFrom ?? span.start, span.start) : span.start
    const history = historyOf(byProperty.get(property.id) ?? [], { ...span, from, type: rule.searchType }, known)
    const open = new Map(alerts.filter(isAboutQuery).flatMap((alert) => lastingOf(rule.metric, alert)))
    const [ofSite] = alerts.filter((alert) => !isAboutQuery(alert)).flatMap((alert) => lastingOf(rule.metric, alert))
    const first = new Set(top.flatMap((row) => (row.property === property.id ? [row.name] : [])))
    const monitored = new Set([...(rule.monitor === 'queries' ? rule.targets : first), ...open.keys()])
    // Not with the queries of other rules, of which there may be thousands.
    const among = history.names.flatMap((name, i) => (first.has(name) || monitored.has(name) ? [i] : []))
    const at = { among, end: rateDays - 1, through }
    const rates = ratesOf(history)
    const found = await evaluateRates(rule, history, rates, at, open, nextTurn)
    const top20 = history.names.flatMap((name, i) => (first.has(name) ? [i] : []))
    const shared = await evaluateShared(rule, property.name, rates, { ...at, among: top20 }, ofSite?.[1] ?? null, nextTurn)
    const verdicts = found.filter(({ entity }) => monitored.has(entity.name))
    const silent = [...open].flatMap(([name, lasts]) =>
      history.names.includes(name) || isComparedWithBefore(lasts, through) ? [] : [name],
    )
    evaluated.push({
      propertyId: property.id,
      ruleId: rule.id,
      verdicts: [
        ...verdicts,
        ...(shared ? [shared] : []),
        ...silent.map((name) => ({ ruleId: rule.id, entity: { kind: 'query' as const, name }, finding: null, current: null })),
      ],
    })
  }
  return evaluated
}

/** The queries whose CTR represents that of the site on this day. */
export function topQueries(
  facts: FactsStore,
  properties: readonly number[],
  through: IsoDate,
  within?: Within,
): Promise<EntityFiguresRow[]> {
  const [start, end] = topDaysOf(through)
  const span = { start, end }
  return facts.ask(entityFigures, {
    grain: 'query',
    properties,
    windows: [span],
    pick: { by: 'top', span, count: topCount.top_queries },
    named: [],
    within,
  })
}

const isAboutQuery = ({ entityKind }: { entityKind: string }): boolean => entityKind === 'query'

/** Days before `from`, days that aren't stored, and days that Google counted differently are unknown. */
export function historyOf(
  rows: readonly EntityDays[],
  { start, end, from, type }: { start: IsoDate; end: IsoDate; from: IsoDate; type: SearchType },
  stored: ReadonlySet<IsoDate>,
): RateHistory {
  const length = daysBetween(start, end)
  const since = countedAlikeSince('ctr', end, type)
  const first = since === null ? from : later(from, since)
  const known = eachDay(start, end).map((day) => day >= first && stored.has(day))
  const days = rows.map((row) => {
    const [clicks, impressions] = [new Float64Array(length), new Float64Array(length)]
    const logPositions = new Float64Array(length).fill(Number.NaN)
    for (const [i, day] of row.day.entries()) {
      clicks[day] = row.clicks[i] ?? 0
      impressions[day] = row.impressions[i] ?? 0
      const ranked = row.rankedImpressions[i] ?? 0
      if (ranked > 0) logPositions[day] = Math.log(Math.max(1, (row.positionSum[i] ?? 0) / ranked))
    }
    return { clicks, impressions, logPositions }
  })
  return { names: rows.map(({ name }) => name), days, known }
}
