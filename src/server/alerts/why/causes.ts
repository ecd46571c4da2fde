import type { SearchType } from '../../../contract/common.ts'
import type { Finding } from '../../../core/alerting/evaluate.ts'
import { groupByCause, recentDays, type Trace } from '../../../core/alerting/cause.ts'
import { gainOf } from '../../../core/alerting/figures.ts'
import { moreSevere } from '../../../core/alerting/severity.ts'
import { isOverAYear } from '../../../core/alerting/windows.ts'
import { addDays } from '../../../core/analytics/days.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { Lead, Outcome } from '../outcome-writes.ts'
import { type QuestionTime, unlessTooSlow } from '../question-time.ts'
import { everythingOf, type Within } from '../../facts/filter-sql.ts'
import { pairFigures } from '../../facts/questions/pair-figures.ts'

/** Maximum number of queries per evaluation whose pages are looked up, and of pages per query. */
const mostQueries = 50
const mostPages = 50
/** With fewer clicks than this, impressions decide which page a query belongs to. */
const fewestClicks = 5

/** Groups findings so that each cause opens one alert, with the others as its parts. */
export function createCauses(facts: FactsStore) {
  /** The page with at least half of a query's change; null if it is spread over several, or there is no time to find out. */
  async function mainPage(
    property: Outcome['property'],
    { entity, windows, metric, change, current }: Finding,
    within: Within | null,
    time: QuestionTime,
  ): Promise<string | null> {
    const of = { kind: 'query', name: entity.name } as const
    const question = { property: property.id, of, windows: [windows.current, windows.base], limit: mostPages, within }
    const rows = await unlessTooSlow(time.ask([property], () => facts.ask(pairFigures, question)))
    if (rows === null) return null
    const sign = change === null ? (current === null ? -1 : 1) : Math.sign(gainOf(metric, change))
    const moved = rows.map(({ name, clicks }) => ({
      name,
      size: Math.max(0, sign * ((clicks[0] ?? 0) - (clicks[1] ?? 0) * windows.scale)),
    }))
    const shown = rows.map(({ name, impressions }) => ({ name, size: (impressions[0] ?? 0) + (impressions[1] ?? 0) * windows.scale }))
    const sizes = sumOf(moved) >= fewestClicks ? moved : shown
    const largest = sizes.toSorted((a, b) => b.size - a.size)[0]
    return largest && largest.size >= sumOf(sizes) / 2 ? largest.name : null
  }

  /** By search type: a change in one type never has its cause in another. */
  async function tracesOf({ property, opened, lasting }: Outcome, time: QuestionTime): Promise<Trace[][]> {
    const since = addDays(property.through, -recentDays)
    const known = [
      ...opened.map(({ condition, finding }, i) => ({ key: `new ${i}`, searchType: condition.searchType, finding, alert: null })),
      ...lasting.map(({ alertId, searchType, finding, isPreliminary }) => {
        // What days find is earlier than the hours of an unconfirmed alert, which may be withdrawn.
        const alert = { isRecent: finding.windows.current.end >= since && !isPreliminary }
        return { key: `alert ${alertId}`, searchType, finding, alert }
      }),
    ]
    const pages = new Map<string, string | null>()
    // Those of open alerts too: their page, or another query of it, may be found days later.
    const isAsked = opened.some(({ finding }) => finding.entity.kind === 'page' || finding.entity.kind === 'query')
    const queries = known.filter(({ finding, alert }) => finding.entity.kind === 'query' && (alert?.isRecent ?? true))
    for (const { searchType, finding } of isAsked ? queries : []) {
      const key = keyOf(searchType, finding)
      if (pages.has(key)) continue
      if (pages.size === mostQueries) break
      const within = searchType === 'web' ? null : everythingOf(searchType, 'query_page')
      pages.set(key, await mainPage(property, finding, within, time))
    }
    const traces = known.map(({ key, searchType, finding, alert }) => {
      return { searchType, trace: { ...traceOf(key, finding), page: pages.get(keyOf(searchType, finding)) ?? null, alert } }
    })
    return [...Map.groupBy(traces, ({ searchType }) => searchType).values()].map((some) => some.map(({ trace }) => trace))
  }

  return async (outcome: Outcome, time: QuestionTime): Promise<Outcome> => {
    const { opened, lasting } = outcome
    if (opened.length === 0 || opened.length + lasting.length < 2) return outcome
    const leads = new Map((await tracesOf(outcome, time)).flatMap((traces) => [...groupByCause(traces)]))
    const byKey = new Map<string, Lead>([
      ...lasting.map(({ alertId, partOf }) => [`alert ${alertId}`, { alertId: partOf ?? alertId }] as const),
      ...opened.map(({ finding }, i) => [`new ${i}`, finding] as const),
    ])
    const leadOf = (key: string): Lead | null => byKey.get(leads.get(key) ?? '') ?? null
    const parts = opened.map((each, i) => ({ ...each, lead: leadOf(`new ${i}`) }))
    const attached = lasting.flatMap(({ alertId, partOf }) => {
      const lead = partOf === null ? leadOf(`alert ${alertId}`) : null
      return lead ? [{ alertId, lead }] : []
    })
    const partsOf = Map.groupBy(parts, ({ lead }) => lead)
    const leadsOf = new Map(attached.map(({ alertId, lead }) => [alertId, lead]))
    return {
      ...outcome,
      attached,
      opened: parts.map((each) => {
        const own = [...(partsOf.get(each.finding) ?? []), ...lasting.filter(({ alertId }) => leadsOf.get(alertId) === each.finding)]
        return { ...each, severity: own.map(({ finding }) => finding.severity).reduce(moreSevere, each.finding.severity) }
      }),
    }
  }
}

const traceOf = (key: string, { entity, metric, previous, current, change, windows }: Finding): Omit<Trace, 'page' | 'alert'> => ({
  key,
  entity,
  metric,
  previous,
  current,
  change,
  isOverAYear: isOverAYear(windows),
})

const keyOf = (searchType: SearchType, { entity }: Finding): string => JSON.stringify([searchType, entity.kind, entity.name])

const sumOf = (sizes: readonly { size: number }[]): number => sizes.reduce((sum, { size }) => sum + size, 0)
