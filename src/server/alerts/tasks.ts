import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsoDate } from '../../contract/common.ts'
import { later } from '../../core/analytics/days.ts'
import { isReady, knownWeeks, knownYearAgo } from '../../core/alerting/readiness.ts'
import { entityKindOf, type Rule, type Window } from '../../core/alerting/rule.ts'
import { type Windows, weeksBefore, windowsOf, yearBefore } from '../../core/alerting/windows.ts'
import type { EntityGrain } from '../facts/questions/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { storedDays } from '../facts/stored-days.ts'

/** A property that is evaluated: how far it is complete, and what it is judged by. */
export type Evaluated = {
  id: number
  userId: string
  name: string
  through: IsoDate
  factsVersion: number
  /** How often its rules were changed. */
  rulesChanged: number
  /** Whether older days are still to come, and the first of those that Google has been asked for. */
  isGrowing: boolean
  backfilledFrom: IsoDate | null
}

/** One rule to be judged, with the days it looks at. */
export type Task = {
  property: Evaluated
  rule: Rule
  grain: EntityGrain
  windows: Windows
  /** The weeks before that are known, the latest first. */
  weeks: readonly Window[]
  /** The same week a year ago and the weeks before that one; empty where one of them is not known. */
  yearAgo: readonly Window[]
  /** Names of entities it has alerts for. */
  watched: readonly string[]
  completeDays: ReadonlySet<IsoDate>
}

export type Wanted = { property: Evaluated; rule: Rule; watched: readonly string[] }

export const grainOf = (rule: Rule): EntityGrain => {
  const kind = entityKindOf(rule)
  return kind === 'site' ? 'total' : kind
}

/** The rules whose days are complete; the others wait. */
export async function readyTasks(facts: FactsStore, wanted: readonly Wanted[]): Promise<Task[]> {
  if (wanted.length === 0) return []
  const dated = wanted.map((each) => ({
    ...each,
    windows: windowsOf(each.rule.comparison, each.property.through),
    grain: grainOf(each.rule),
  }))
  const stored = await facts.ask(storedDays, {
    grains: [...new Set(dated.map(({ grain }) => grain))],
    properties: [...new Set(dated.map(({ property }) => property.id))],
    spans: dated.flatMap(({ windows }) => [windows.current, windows.base, ...weeksBefore(windows.current), ...yearBefore(windows.current)]),
  })
  const known = new Map(stored.map((days) => [`${days.property} ${days.grain}`, days]))
  const ready: Task[] = []
  for (const { property, rule, watched, windows, grain } of dated) {
    const days = known.get(`${property.id} ${grain}`)
    if (!days) continue
    // Rules are many, and others want a turn.
    await nextTurn()
    const completeDays = new Set(days.dates.filter((date) => date <= property.through))
    const history = { completeDays, from: storedFrom(property, days.from), isGrowing: property.isGrowing }
    if (!isReady(rule, windows, history)) continue
    const past = { weeks: knownWeeks(windows.current, completeDays), yearAgo: knownYearAgo(windows.current, completeDays) }
    ready.push({ property, rule, grain, windows, ...past, watched, completeDays })
  }
  return ready
}

/** Files may reach further back than what Google has been asked for so far, with a gap between. */
const storedFrom = ({ isGrowing, backfilledFrom }: Evaluated, from: IsoDate): IsoDate | null =>
  isGrowing ? backfilledFrom && later(backfilledFrom, from) : from
