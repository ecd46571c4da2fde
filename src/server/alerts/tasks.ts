import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { earlier, later } from '../../core/analytics/days.ts'
import { isReady, knownWeeks, knownYearAgo } from '../../core/alerting/readiness.ts'
import { type Entity, entityKindOf, type Rule, type Window } from '../../core/alerting/rule.ts'
import { type Windows, weeksBefore, windowsOf, yearBefore } from '../../core/alerting/windows.ts'
import type { EntityGrain } from '../facts/questions/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { type StoredDays, storedDays } from '../facts/stored-days.ts'
import type { RuleScope } from './rules/scopes.ts'

/** A property to evaluate: the day through which it is complete, and the versions of its data and rules. */
export type Evaluated = {
  id: number
  userId: string
  name: string
  through: IsoDate
  factsVersion: number
  /** Counts the changes of its rules. */
  rulesChanged: number
  /** Whether Google has its data, rather than imported files only. */
  isFetched: boolean
  /** Whether older days are still being fetched, and the first day fetched so far. */
  isGrowing: boolean
  backfilledFrom: IsoDate | null
  /** The same for its other search types; those never fetched are absent. */
  others: ReadonlyMap<SearchType, Coverage>
}
/** `through` null: nothing of it is final. */
export type Coverage = Pick<Evaluated, 'isGrowing' | 'backfilledFrom'> & { through: IsoDate | null }

/**
 * A property as rules about a search type see it, evaluated up to the last day that is final for web search and for this type; null while
 * nothing of the type is stored.
 */
export function ofSearchType(property: Evaluated, type: SearchType): Evaluated | null {
  if (type === 'web' || !property.isFetched) return property
  const { through = null, ...coverage } = property.others.get(type) ?? {}
  return through === null ? null : { ...property, ...coverage, through: earlier(through, property.through) }
}

/** One rule to evaluate, with the days it needs. */
export type Task = {
  property: Evaluated
  rule: Rule
  /** Where its figures come from; null for `grain` of web search. */
  scope: RuleScope | null
  grain: EntityGrain
  windows: Windows
  /** The preceding stored weeks, latest first. */
  weeks: readonly Window[]
  /** The same week a year ago and the weeks before it; empty if any of them isn't stored. */
  yearAgo: readonly Window[]
  /** Names of entities with open alerts of the rule. */
  withOpenAlerts: readonly string[]
  completeDays: ReadonlySet<IsoDate>
}

export type Wanted = Pick<Task, 'property' | 'rule' | 'scope' | 'withOpenAlerts'>

/** A segment is one entity, like the site. */
export const entityGrain = (kind: Entity['kind']): EntityGrain => (kind === 'site' || kind === 'segment' ? 'total' : kind)

export const grainOf = (rule: Rule): EntityGrain => {
  return entityGrain(entityKindOf(rule))
}

/** Keeps the rules whose days are complete; the others wait. */
export async function readyTasks(facts: FactsStore, wanted: readonly Wanted[]): Promise<Task[]> {
  if (wanted.length === 0) return []
  const dated = wanted.map((each) => ({
    ...each,
    windows: windowsOf(each.rule.comparison, each.property.through),
    grain: grainOf(each.rule),
  }))
  const sourceOf = ({ scope, grain }: Pick<Task, 'scope' | 'grain'>) => scope?.within.grain ?? grain
  const known = new Map<string, StoredDays>()
  for (const [type, some] of Map.groupBy(dated, ({ rule }) => rule.searchType)) {
    const stored = await facts.ask(storedDays, {
      type,
      grains: [...new Set(some.map(sourceOf))],
      properties: [...new Set(some.map(({ property }) => property.id))],
      spans: some.flatMap(({ windows }) => [
        windows.current,
        windows.base,
        ...weeksBefore(windows.current),
        ...yearBefore(windows.current),
      ]),
    })
    for (const days of stored) known.set(`${type} ${days.property} ${days.grain}`, days)
  }
  const ready: Task[] = []
  for (const { property, rule, scope, withOpenAlerts, windows, grain } of dated) {
    const days = known.get(`${rule.searchType} ${property.id} ${sourceOf({ scope, grain })}`)
    if (!days) continue
    // There can be many rules; let others have a turn.
    await nextTurn()
    const completeDays = new Set(days.dates.filter((date) => date <= property.through))
    const history = { completeDays, from: storedFrom(property, days.from), isGrowing: property.isGrowing }
    if (!isReady(rule, windows, history)) continue
    const past = { weeks: knownWeeks(windows.current, completeDays), yearAgo: knownYearAgo(windows.current, completeDays) }
    ready.push({ property, rule, scope, grain, windows, ...past, withOpenAlerts, completeDays })
  }
  return ready
}

/** Imported files may go further back than what has been fetched so far, with a gap in between. */
const storedFrom = ({ isGrowing, backfilledFrom }: Evaluated, from: IsoDate): IsoDate | null =>
  isGrowing ? backfilledFrom && later(backfilledFrom, from) : from
