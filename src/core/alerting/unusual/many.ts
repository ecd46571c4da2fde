import type { Sensitivity } from '../../../contract/alerts/conditions.ts'
import type { IsoDate } from '../../../contract/common.ts'
import type { Direction } from '../../detection/expectation.ts'
import { createMany, type ManyTested, type WeeklyCount } from '../../detection/many-counts.ts'
import type { Deviation } from '../../detection/smart.ts'
import type { Sums } from '../figures.ts'
import { figureOf } from '../figures.ts'
import type { Verdict } from '../lifecycle.ts'
import { entityKindOf, type Rule } from '../rule.ts'
import { usualOf } from './unusual.ts'
import { lastingRatio, type LastingUnusual, verdictOf } from './verdict.ts'

/** A page or query with its counts in the evaluated week, and in the week that ends a day earlier if known. */
export type ManyEntity = { name: string; today: WeeklyCount; dayBefore: WeeklyCount | null }

/** The accepted share of false findings at normal sensitivity. */
const falsely: Record<Sensitivity, number> = { low: 0.5, normal: 1, high: 2 }
/** How many impressions say as much about a page as one click. */
export const perClick = { clicks: 1, impressions: 20 }
/** Weeks in a year, and the years from which on a change is simply very rare. */
const weeksAYear = 52
const mostMonths = 60

/**
 * Evaluates all pages or queries of a property together.
 * @param open the rule's open alerts by entity name; an entity without data has no impressions any more
 */
export function judgeEntities(
  rule: Rule,
  entities: readonly ManyEntity[],
  open: ReadonlyMap<string, LastingUnusual>,
  through: IsoDate,
): Verdict[] {
  const of = deviationsOf(rule, entities)
  const known = new Set(entities.map(({ name }) => name))
  const kind = entityKindOf(rule)
  return [
    ...entities.flatMap(({ name }, i) => {
      const judged = of[i] ?? { fall: null, rise: null }
      const lasts = open.get(name) ?? null
      const verdict = verdictOf(rule, { kind, name }, judged, through, lasts)
      // Only the few of thousands that have a finding.
      return verdict.finding || lasts ? [verdict] : []
    }),
    ...[...open.keys()].flatMap((name) =>
      known.has(name) ? [] : [{ ruleId: rule.id, entity: { kind, name }, finding: null, current: 0 }],
    ),
  ]
}

type Deviations = Record<Direction, Deviation | null>

function deviationsOf({ metric, direction, sensitivity }: Rule, entities: readonly ManyEntity[]): Deviations[] {
  const scale = perClick[metric === 'impressions' ? 'impressions' : 'clicks']
  const judge = createMany(
    entities.map(({ today }) => today),
    entities.map(({ dayBefore }) => dayBefore),
    scale,
  )
  const side = (asked: Direction) =>
    direction === 'both' || direction === `${asked}s` ? judge(asked, falsely[sensitivity]).map((test) => deviationOf(asked, test)) : []
  const [falls, rises] = [side('fall'), side('rise')]
  return entities.map((_, i) => ({ fall: falls[i] ?? null, rise: rises[i] ?? null }))
}

function deviationOf(direction: Direction, test: ManyTested | null): Deviation | null {
  if (!test) return null
  const { actual, expected, probability, isAlarm, isCertain, isLasting } = test
  const months = Math.min(mostMonths, 12 / (weeksAYear * probability))
  return {
    direction,
    length: 7,
    actual,
    expected,
    days: 7,
    ratio: isAlarm ? 1 : isLasting ? lastingRatio : 0,
    isAlarm,
    months,
    isCertain,
    lastDay: null,
  }
}

/** A query's evaluated week and the week that ends a day earlier, each with the stored weeks before it, latest first. */
export type RankedEntity = { name: string; today: RankedWeek; dayBefore: RankedWeek | null }
export type RankedWeek = { now: Sums; before: readonly Sums[] }

/** Least impressions for a week's position to mean anything. */
const fewestShown = 50
/** Factors on the usual range of a position (unusual.ts), by sensitivity; and the one that makes it certain. */
const further: Record<Sensitivity, number> = { low: 1.15, normal: 1, high: 0.87 }
const certainly = 1.4
/** About how often a week lies outside the usual range. */
const monthsOfUsual = 12

/**
 * Evaluates positions of queries: one counts if it is outside its usual range on two consecutive days.
 * @param clicked queries whose clicks are unusual too, with the direction: only those count; null if all count because they were chosen
 */
export function judgePositions(
  rule: Rule,
  entities: readonly RankedEntity[],
  clicked: ReadonlyMap<string, Direction> | null,
  open: ReadonlyMap<string, LastingUnusual>,
  through: IsoDate,
): Verdict[] {
  return entities.flatMap(({ name, today, dayBefore }): Verdict[] => {
    const [now, before] = [placeOf(today, rule.sensitivity), dayBefore && placeOf(dayBefore, rule.sensitivity)]
    const lasts = open.get(name) ?? null
    const judged: Deviations = { fall: null, rise: null }
    if (now && (clicked === null || clicked.has(name) || lasts)) {
      const direction: Direction = now.actual > now.expected ? 'fall' : 'rise'
      const counts = clicked === null || clicked.get(name) === direction
      const isAlarm = counts && now.ratio >= 1 && (clicked !== null || (before !== null && before.ratio >= 1 && before.side === now.side))
      const { actual, expected, ratio } = now
      const months = monthsOfUsual * Math.max(1, ratio)
      judged[direction] = {
        direction,
        length: 7,
        actual,
        expected,
        days: 7,
        ratio,
        isAlarm,
        months,
        isCertain: ratio >= certainly,
        lastDay: null,
      }
    }
    const verdict = verdictOf(rule, { kind: 'query', name }, judged, through, lasts)
    return verdict.finding || lasts ? [verdict] : []
  })
}

function placeOf({ now, before }: RankedWeek, sensitivity: Sensitivity) {
  const usual = usualOf('position', { weeks: before, yearAgo: [] }, now)
  const actual = figureOf('position', now)
  if (!usual || actual === null || now.impressions < fewestShown) return null
  const side = Math.sign(actual - usual.expected)
  const reach = (side > 0 ? usual.high - usual.expected : usual.expected - usual.low) * further[sensitivity]
  return { actual, expected: usual.expected, side, ratio: reach > 0 ? Math.abs(actual - usual.expected) / reach : 0 }
}
