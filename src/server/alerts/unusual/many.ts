import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import { noSums, type Sums } from '../../../core/alerting/figures.ts'
import { entityKindOf, type Rule, type Window } from '../../../core/alerting/rule.ts'
import { evaluateEntities, evaluatePositions, type ManyEntity, type RankedEntity } from '../../../core/alerting/unusual/many.ts'
import { perClick } from '../../../core/alerting/unusual/interrupting.ts'
import { directionOfChange, type LastingUnusual } from '../../../core/alerting/unusual/verdict.ts'
import type { Verdict } from '../../../core/alerting/lifecycle.ts'
import { isComplete, weeksBefore, windowsOf } from '../../../core/alerting/windows.ts'
import { isComparable, isInterrupted } from '../../../core/analytics/anomalies.ts'
import { addDays, later } from '../../../core/analytics/days.ts'
import type { Direction } from '../../../core/detection/expectation.ts'
import { baseWeeks, fewestWeekly, type WeeklyCount } from '../../../core/detection/many-counts.ts'
import { entityFigures, type EntityFiguresRow } from '../../facts/questions/entity-figures.ts'
import { type EntityWeeks, entityWeeks } from '../../facts/questions/entity-weeks.ts'
import type { Within } from '../../facts/filter-sql.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { EvaluatedUnusual, WantedUnusual } from './unusual.ts'
import { lastingOf } from './lasting.ts'
import { storedDays } from '../../facts/stored-days.ts'

/** The evaluated week, the weeks before it, and one more, in which the weeks that end a day earlier begin. */
const weeksRead = baseWeeks.most + 2

/** An evaluated week and the weeks before it, each with its index in what was read; null for a week with an unknown day. */
type Known = { current: Window; base: readonly { week: Window; at: number }[] } | null

/** Evaluates rules about all pages or queries, and about positions, all of the same kind and metric and through the same day. */
export async function evaluateUnusualMany(facts: FactsStore, group: readonly WantedUnusual[]): Promise<EvaluatedUnusual[]> {
  const [first] = group
  if (!first) return []
  const { metric } = first.rule
  const within = first.scope?.within
  const end = first.property.through
  const grain = entityKindOf(first.rule) === 'page' ? 'page' : 'query'
  const properties = [...new Set(group.map(({ property }) => property.id))]
  const span = { start: addDays(end, 1 - 7 * weeksRead), end }
  const isChosen = (rule: Rule): boolean => rule.monitor === 'queries'
  const counted = metric === 'impressions' ? 'impressions' : 'clicks'
  const all = [...new Set(group.filter(({ rule }) => !isChosen(rule)).map(({ property }) => property.id))]
  const least = fewestWeekly * perClick[counted] * baseWeeks.fewest
  const [storedOf, rows] = await Promise.all([
    facts.ask(storedDays, { type: within?.type, grains: [within?.grain ?? grain], properties, spans: [span] }),
    all.length === 0 ? [] : facts.ask(entityWeeks, { grain, properties: all, end, weeks: weeksRead, metric: counted, least, within }),
  ])
  const stored = new Map(storedOf.map((days) => [days.property, days]))
  const byProperty = Map.groupBy(rows, ({ property }) => property)
  const evaluated: EvaluatedUnusual[] = []
  for (const { property, rule, alerts } of group) {
    await nextTurn()
    const days = stored.get(property.id)
    const from = days && (property.isGrowing ? property.backfilledFrom && later(property.backfilledFrom, days.from) : days.from)
    const known = new Set(days?.dates.filter((day) => from !== null && from !== undefined && day >= from))
    const lookOn = (day: IsoDate) => knownOf(counted, day, known, rule.searchType)
    const [today, dayBefore] = [lookOn(end), lookOn(addDays(end, -1))]
    // While older days are being fetched, what looks unusual may not be; and a week that Google didn't fully log isn't comparable.
    const isBroken = today !== null && isInterrupted(metric, today.current, rule.searchType)
    const waits = today === null || isBroken || (property.isGrowing && today.base.length < baseWeeks.most)
    if (waits) {
      evaluated.push({ propertyId: property.id, ruleId: rule.id, verdicts: null })
      continue
    }
    const open = new Map(alerts.flatMap((alert) => lastingOf(rule.metric, alert)))
    const entities = (byProperty.get(property.id) ?? []).map((row) => entityOf(row, today, dayBefore))
    const verdicts =
      metric === 'position'
        ? await evaluatePlaces(facts, { rule, property: property.id, end, known, open, entities, within })
        : evaluateEntities(rule, entities, open, end)
    evaluated.push({ propertyId: property.id, ruleId: rule.id, verdicts })
  }
  return evaluated
}

/** The weeks that may be used: completely stored, and counted by Google like the evaluated one. */
export function knownOf(metric: 'clicks' | 'impressions' | 'position', end: IsoDate, days: ReadonlySet<IsoDate>, type: SearchType): Known {
  const { current } = windowsOf('previous_7_days', end)
  if (!isComplete(current, days)) return null
  const weeks = weeksBefore(current, baseWeeks.most)
  return {
    current,
    base: weeks.flatMap((week, at) => (isComplete(week, days) && isComparable(metric, week, current, type) ? [{ week, at: at + 1 }] : [])),
  }
}

function entityOf({ name, sums, lastDays }: EntityWeeks, today: NonNullable<Known>, dayBefore: Known): ManyEntity {
  const counted = (counts: readonly number[], { base }: NonNullable<Known>): WeeklyCount => ({
    now: counts[0] ?? 0,
    before: base.map(({ at }) => counts[at] ?? 0),
  })
  return {
    name,
    today: counted(sums, today),
    // Needed only if something stands out, which is rare.
    get dayBefore() {
      // A week that ends a day earlier lacks its last day and includes the last day of the week before.
      const earlier = sums.map((sum, at) => sum - (lastDays[at] ?? 0) + (lastDays[at + 1] ?? 0))
      return dayBefore && counted(earlier, dayBefore)
    },
  }
}

type Places = {
  rule: Rule
  property: number
  end: IsoDate
  known: ReadonlySet<IsoDate>
  open: ReadonlyMap<string, LastingUnusual>
  entities: readonly ManyEntity[]
  within: Within | undefined
}

/** Positions of chosen queries, or of queries whose clicks are unusual in the same direction. */
async function evaluatePlaces(facts: FactsStore, { rule, property, end, known, open, entities, within }: Places): Promise<Verdict[]> {
  const clicks = evaluateEntities({ ...rule, metric: 'clicks', threshold: 1 }, entities, new Map(), end)
  const clicked = new Map<string, Direction>(
    clicks.flatMap(({ entity, finding }) => (finding ? [[entity.name, directionOfChange('clicks', finding.change ?? 0)]] : [])),
  )
  const chosen = rule.monitor === 'queries'
  const names = [...new Set([...(chosen ? rule.targets : clicked.keys()), ...open.keys()])]
  if (names.length === 0) return []
  const looks = [end, addDays(end, -1)].map((day) => knownOf('position', day, known, rule.searchType))
  const spans = looks.flatMap((look) => (look ? [look.current, ...look.base.map(({ week }) => week)] : []))
  const rows = await facts.ask(entityFigures, {
    grain: 'query',
    properties: [property],
    windows: spans,
    pick: { by: 'names' },
    named: names.map((name) => ({ property, name })),
    within,
  })
  const byName = new Map(rows.map((row) => [row.name, row]))
  const [today, dayBefore] = looks
  const placed = names.map((name): RankedEntity => {
    const row = byName.get(name)
    const first = today ? 1 + today.base.length : 0
    const weeksFrom = (at: number, look: NonNullable<Known>) => ({
      now: sumsAt(row, at),
      before: look.base.map((_, i) => sumsAt(row, at + 1 + i)),
    })
    return {
      name,
      today: today ? weeksFrom(0, today) : { now: noSums, before: [] },
      dayBefore: dayBefore ? weeksFrom(first, dayBefore) : null,
    }
  })
  return evaluatePositions(rule, placed, chosen ? null : clicked, open, end)
}

const sumsAt = (row: EntityFiguresRow | undefined, at: number): Sums => ({
  clicks: row?.clicks[at] ?? 0,
  impressions: row?.impressions[at] ?? 0,
  positionSum: row?.positionSum[at] ?? 0,
  rankedImpressions: row?.rankedImpressions[at] ?? 0,
})
