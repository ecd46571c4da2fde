import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsoDate } from '../../contract/common.ts'
import { later } from '../../core/analytics/days.ts'
import { isReady, knownWeeks, knownYearAgo } from '../../core/alerting/readiness.ts'
import { type Entity, entityKindOf, type Rule, type Window } from '../../core/alerting/rule.ts'
import { type Windows, weeksBefore, windowsOf, yearBefore } from '../../core/alerting/windows.ts'
import type { EntityGrain } from '../facts/questions/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { storedDays } from '../facts/stored-days.ts'
import type { RuleSegment } from './rules/segments.ts'

/** A property to evaluate: the day through which it is complete, and the versions of its data and rules. */
export type Evaluated = {
  id: number
  userId: string
  name: string
  through: IsoDate
  factsVersion: number
  /** Counts the changes of its rules. */
  rulesChanged: number
  /** Whether older days are still being fetched, and the first day fetched so far. */
  isGrowing: boolean
  backfilledFrom: IsoDate | null
}

/** One rule to evaluate, with the days it needs. */
export type Task = {
  property: Evaluated
  rule: Rule
  /** The segment it is limited to; its figures then come from the grain of `segment.within`. */
  segment: RuleSegment | null
  grain: EntityGrain
  windows: Windows
  /** The preceding stored weeks, latest first. */
  weeks: readonly Window[]
  /** The same week a year ago and the weeks before it; empty if any of them isn't stored. */
  yearAgo: readonly Window[]
  /** Names of entities with open alerts of the rule. */
  watched: readonly string[]
  completeDays: ReadonlySet<IsoDate>
}

export type Wanted = Pick<Task, 'property' | 'rule' | 'segment' | 'watched'>

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
  const sourceOf = ({ segment, grain }: Pick<Task, 'segment' | 'grain'>) => segment?.within.grain ?? grain
  const stored = await facts.ask(storedDays, {
    grains: [...new Set(dated.map(sourceOf))],
    properties: [...new Set(dated.map(({ property }) => property.id))],
    spans: dated.flatMap(({ windows }) => [windows.current, windows.base, ...weeksBefore(windows.current), ...yearBefore(windows.current)]),
  })
  const known = new Map(stored.map((days) => [`${days.property} ${days.grain}`, days]))
  const ready: Task[] = []
  for (const { property, rule, segment, watched, windows, grain } of dated) {
    const days = known.get(`${property.id} ${sourceOf({ segment, grain })}`)
    if (!days) continue
    // There can be many rules; let others have a turn.
    await nextTurn()
    const completeDays = new Set(days.dates.filter((date) => date <= property.through))
    const history = { completeDays, from: storedFrom(property, days.from), isGrowing: property.isGrowing }
    if (!isReady(rule, windows, history)) continue
    const past = { weeks: knownWeeks(windows.current, completeDays), yearAgo: knownYearAgo(windows.current, completeDays) }
    ready.push({ property, rule, segment, grain, windows, ...past, watched, completeDays })
  }
  return ready
}

/** Imported files may go further back than what has been fetched so far, with a gap in between. */
const storedFrom = ({ isGrowing, backfilledFrom }: Evaluated, from: IsoDate): IsoDate | null =>
  isGrowing ? backfilledFrom && later(backfilledFrom, from) : from
