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

/** A page or query with its counts of the judged week, and of the one that ends a day earlier where that is known. */
export type ManyEntity = { name: string; today: WeeklyCount; dayBefore: WeeklyCount | null }

/** Of what is found by normal sensitivity, how many false ones are put up with. */
const falsely: Record<Sensitivity, number> = { low: 0.5, normal: 1, high: 2 }
/** Impressions that say as much of a page as one click does. */
export const perClick = { clicks: 1, impressions: 20 }
/** Weeks of a year, and the years after which a change is just very rare. */
const weeksAYear = 52
const mostMonths = 60

/**
 * Judges all pages or queries of a property together.
 * @param open alerts of the rule that last, by the name of their entity; one of which nothing is known has nothing any more
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
      // Of thousands, those of which there is something to say.
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

/** A query's judged week and the one that ends a day earlier, each with the weeks before that are known, the latest first. */
export type RankedEntity = { name: string; today: RankedWeek; dayBefore: RankedWeek | null }
export type RankedWeek = { now: Sums; before: readonly Sums[] }

/** Impressions without which a week has no position to speak of. */
const fewestShown = 50
/** Beside what is usual of a position (unusual.ts), by sensitivity; and what makes it certain. */
const further: Record<Sensitivity, number> = { low: 1.15, normal: 1, high: 0.87 }
const certainly = 1.4
/** About as often a week lies beyond what is usual. */
const monthsOfUsual = 12

/**
 * Judges positions of queries: one counts when two days running it is where it usually is not.
 * @param clicked queries of which clicks are unusual, too, with the direction: only theirs count; null where each counts, having been chosen
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
