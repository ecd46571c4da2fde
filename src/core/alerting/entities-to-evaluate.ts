import { addDays } from '../analytics/days.ts'
import type { EntityFigures } from './evaluate.ts'
import { noSums } from './figures.ts'
import { entityKindOf, newContentDays, type Rule, topCount, type Window } from './rule.ts'
import type { Series } from './series.ts'
import type { Windows } from './windows.ts'

export type EntitiesInput = {
  rule: Rule
  windows: Windows
  /** The preceding stored weeks, latest first. */
  weeks: readonly Window[]
  /** The same week a year ago and the weeks before it; empty if any of them isn't stored. */
  yearAgo: readonly Window[]
  /** Data of the entities the rule may be about, and possibly of others. */
  series: readonly Series[]
  /** Entities with open alerts of the rule: they are evaluated until they recover, even if they dropped out of the top. */
  withOpenAlerts: readonly string[]
}

/** The entities a rule has to evaluate, with their data; an entity without data had no impressions. */
export function entitiesToEvaluate({ rule, windows, weeks, yearAgo, series, withOpenAlerts }: EntitiesInput): EntityFigures[] {
  const known = new Map(series.map((each) => [each.name, each]))
  const names = new Set([...entitiesOf(rule, series, windows), ...withOpenAlerts])
  return [...names].map((name) => {
    const of = known.get(name) ?? { name, firstSeen: null, sums: () => noSums }
    // Weeks before new content existed don't count as its past: compared with them, any drop would look usual.
    const since = rule.monitor === 'new_content' ? of.firstSeen : null
    return {
      entity: { kind: entityKindOf(rule), name },
      current: of.sums(windows.current),
      base: of.sums(windows.base),
      // Needed only if the change is large enough, which is rare.
      get past() {
        const own = weeks.filter(({ start }) => since === null || start >= since)
        return { weeks: own.map((week) => of.sums(week)), yearAgo: since === null ? yearAgo.map((week) => of.sums(week)) : [] }
      },
      firstSeen: of.firstSeen !== null && of.firstSeen <= windows.current.end ? of.firstSeen : null,
    }
  })
}

/** Content counts as new from this day on. */
export const newContentSince = ({ current }: Windows): string => addDays(current.end, 1 - newContentDays)

function entitiesOf(rule: Rule, series: readonly Series[], windows: Windows): readonly string[] {
  const since = (day: string) => series.filter(({ firstSeen }) => firstSeen !== null && firstSeen >= day).map(({ name }) => name)
  if (rule.kind === 'new_query' || rule.kind === 'new_page') return since(windows.current.start)
  switch (rule.monitor) {
    case 'site':
    case 'all_pages':
    case 'all_queries':
      return series.map(({ name }) => name)
    case 'pages':
    case 'queries':
      return rule.targets
    case 'new_content':
      return since(newContentSince(windows))
    case 'top_pages':
    case 'top_queries':
      return topOf(series, windows.base, topCount[rule.monitor])
  }
}

/** Most clicks first, then impressions, then bytewise by name: the order of the store's lists. */
export function topOf(series: readonly Series[], base: Window, count: number): string[] {
  const ranked = series
    .map(({ name, sums }) => ({ name, ...sums(base) }))
    .filter(({ clicks }) => clicks > 0)
    .toSorted((a, b) => b.clicks - a.clicks || b.impressions - a.impressions)
  // Thousands may tie, with names of thousands of characters: each name is compared only with the few that made the list.
  const top: string[] = []
  for (const alike of Map.groupBy(ranked, ({ clicks, impressions }) => `${clicks} ${impressions}`).values()) {
    if (top.length === count) break
    top.push(
      ...smallest(
        alike.map(({ name }) => name),
        count - top.length,
      ),
    )
  }
  return top
}

/** The first few of these names, sorted bytewise. */
function smallest(names: readonly string[], count: number): string[] {
  const kept: string[] = []
  for (const name of names) {
    const worst = kept.at(-1)
    if (kept.length === count && worst !== undefined && byBytes(name, worst) >= 0) continue
    const at = kept.findLastIndex((each) => byBytes(each, name) <= 0) + 1
    kept.splice(at, 0, name)
    if (kept.length > count) kept.pop()
  }
  return kept
}

/** The order of UTF-8, which is that of code points: in UTF-16, surrogates come before the last characters of the basic plane. */
function byBytes(a: string, b: string): number {
  // The engine compares UTF-16 many times as fast as a loop, and without surrogates both orders are the same.
  if (!highUnits.test(a) && !highUnits.test(b)) return a < b ? -1 : Number(a > b)
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at < length ? rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at)) : a.length - b.length
}
const highUnits = /[\uD800-\uFFFF]/
const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)
