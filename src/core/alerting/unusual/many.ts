import type { Sensitivity } from '../../../contract/alerts/conditions.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { daysBetween } from '../../analytics/days.ts'
import type { Direction } from '../../detection/expectation.ts'
import { baseWeeks, createMany, type ManyTested, type WeeklyCount } from '../../detection/many-counts.ts'
import type { Deviation } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import { figureOf, noSums, type Sums } from '../figures.ts'
import type { Verdict } from '../lifecycle.ts'
import { entityKindOf, type Rule } from '../rule.ts'
import { type ExpectedWeek, limitsOf } from './expected.ts'
import { interrupts, perClick } from './interrupting.ts'
import { usualOf } from './unusual.ts'
import { lastingRatio, type LastingUnusual, verdictOf } from './verdict.ts'

/** A page or query with its counts in the evaluated week, and in the week that ends a day earlier if known. */
export type ManyEntity = { name: string; today: WeeklyCount; dayBefore: WeeklyCount | null }

/** The accepted share of false findings at normal sensitivity. */
const falsely: Record<Sensitivity, number> = { low: 0.5, normal: 1, high: 2 }
/** Weeks in a year, and the number of years from which a change is simply very rare. */
const weeksAYear = 52
const mostMonths = 60

/**
 * Evaluates all pages or queries of a property together.
 * @param open the rule's open alerts by entity name; an entity without data no longer has any impressions
 */
export function evaluateEntities(
  rule: Rule,
  entities: readonly ManyEntity[],
  open: ReadonlyMap<string, LastingUnusual>,
  through: IsoDate,
): Verdict[] {
  const { fall: falls, rise: rises } = testsOf(rule, entities)
  const known = new Set(entities.map(({ name }) => name))
  const kind = entityKindOf(rule)
  return [
    ...entities.flatMap(({ name }, i) => {
      const [fall, rise] = [falls[i] ?? null, rises[i] ?? null]
      const lasts = open.get(name) ?? null
      // Only the few of thousands that have a finding.
      if (!lasts && !fall?.isAlarm && !rise?.isAlarm) return []
      const deviations: Deviations = { fall: deviationOf('fall', fall), rise: deviationOf('rise', rise) }
      const verdict = verdictOf(rule, { kind, name }, deviations, through, lasts)
      return verdict.finding || lasts ? [verdict] : []
    }),
    ...[...open.keys()].flatMap((name) =>
      known.has(name) ? [] : [{ ruleId: rule.id, entity: { kind, name }, finding: null, current: 0 }],
    ),
  ]
}

/**
 * What is expected of the busiest of these pages or queries if everything else stays as it is.
 * @param pause called before each of some twenty evaluations, each of which may take a long time
 */
export async function expectedOfMany(
  rule: Rule,
  entities: readonly ManyEntity[],
  through: IsoDate,
  pause: () => Promise<void>,
): Promise<ExpectedWeek | null> {
  const sumOf = ({ today }: ManyEntity): number => today.before.reduce((sum, count) => sum + count, 0)
  const busiest = entities.reduce<ManyEntity | null>((most, each) => (most && sumOf(most) >= sumOf(each) ? most : each), null)
  if (!busiest) return null
  const findingAt = async (now: number) => {
    await pause()
    const changed = {
      ...busiest,
      today: { ...busiest.today, now },
      dayBefore: busiest.dayBefore && { ...busiest.dayBefore, now },
    }
    const verdicts = evaluateEntities(
      rule,
      entities.map((each) => (each === busiest ? changed : each)),
      new Map(),
      through,
    )
    return verdicts.find(({ entity }) => entity.name === busiest.name)?.finding ?? null
  }
  const value = ((await findingAt(0)) ?? (await findingAt(sumOf(busiest))))?.previous ?? null
  if (value === null) return null
  return { entity: busiest.name, value, ...(await limitsOf(value, async (now) => (await findingAt(now)) !== null)) }
}

type Deviations = Record<Direction, Deviation | null>

type Tests = Record<Direction, (ManyTested | null)[]>

function testsOf({ metric, direction, sensitivity }: Rule, entities: readonly ManyEntity[]): Tests {
  const scale = perClick[metric === 'impressions' ? 'impressions' : 'clicks']
  const test = createMany(
    entities.map(({ today }) => today),
    () => entities.map(({ dayBefore }) => dayBefore),
    scale,
  )
  const side = (asked: Direction) => (direction === 'both' || direction === `${asked}s` ? test(asked, falsely[sensitivity]) : [])
  return { fall: side('fall'), rise: side('rise') }
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

/** Minimum impressions for a week's position to mean anything. */
const fewestShown = 50
/** Factors on the usual range of a position (unusual.ts), by sensitivity; and the one that makes it certain. */
const further: Record<Sensitivity, number> = { low: 1.15, normal: 1, high: 0.87 }
const certainly = 1.4
/** For how many weeks a position is still compared mostly with those before a change. */
const comparedWeeks = (2 * baseWeeks.most) / 3
/** About how often a week lies outside the usual range. */
const monthsOfUsual = 12

/**
 * Evaluates positions of queries: one counts if it is outside its usual range on two consecutive days. An open alert whose query has too few
 * impressions to tell has no verdict.
 * @param clicked queries whose clicks are unusual too, with the direction: only those count; null if all count because they were chosen
 */
export function evaluatePositions(
  rule: Rule,
  entities: readonly RankedEntity[],
  clicked: ReadonlyMap<string, Direction> | null,
  open: ReadonlyMap<string, LastingUnusual>,
  through: IsoDate,
): Verdict[] {
  return entities.flatMap(({ name, today, dayBefore }): Verdict[] => {
    const [now, before] = [placeOf(today, rule.sensitivity), dayBefore && placeOf(dayBefore, rule.sensitivity)]
    const lasts = open.get(name) ?? null
    if (lasts && now === null && today.now.impressions > 0 && isComparedWithBefore(lasts, through)) return []
    const deviations: Deviations = { fall: null, rise: null }
    if (now && (clicked === null || clicked.has(name) || lasts)) {
      const direction: Direction = now.actual > now.expected ? 'fall' : 'rise'
      const counts = clicked === null || clicked.get(name) === direction
      const isAlarm = counts && now.ratio >= 1 && (clicked !== null || (before !== null && before.ratio >= 1 && before.side === now.side))
      const { actual, expected, ratio } = now
      const months = monthsOfUsual * Math.max(1, ratio)
      deviations[direction] = {
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
    const verdict = verdictOf(rule, { kind: 'query', name }, deviations, through, lasts)
    const finding = verdict.finding && today ? worthWaking(verdict.finding, today) : verdict.finding
    return finding || lasts ? [{ ...verdict, finding, current: verdict.current ?? figureOf('position', today.now) }] : []
  })
}

/**
 * A query that has fallen often has few impressions in some weeks: these say nothing about its position or CTR, so its alert stays as it
 * is, as long as most of the weeks it would be compared with are from before the alert.
 */
export const isComparedWithBefore = ({ opening }: LastingUnusual, through: IsoDate): boolean =>
  !opening || daysBetween(opening.windows.current.start, through) <= 7 * comparedWeeks

function worthWaking(finding: Finding, { now: current, before: weeks }: RankedWeek): Finding {
  if (finding.severity !== 'critical') return finding
  return { ...finding, interrupts: interrupts('position', { current, before: weeks[0] ?? noSums, weeks, week: finding.windows.current }) }
}

function placeOf({ now, before }: RankedWeek, sensitivity: Sensitivity) {
  const usual = usualOf('position', { weeks: before, yearAgo: [] }, now)
  const actual = figureOf('position', now)
  if (!usual || actual === null || now.impressions < fewestShown) return null
  const side = Math.sign(actual - usual.expected)
  // Not down to the usual range's lower end, which is the first position at most.
  const reach = (usual.high - usual.expected) * further[sensitivity]
  return { actual, expected: usual.expected, side, ratio: reach > 0 ? Math.abs(actual - usual.expected) / reach : 0 }
}

/** The expected position of the query with the most clicks, and the positions beyond which it counts as unusual. */
export function expectedPlace({ direction, sensitivity, threshold }: Rule, entities: readonly RankedEntity[]): ExpectedWeek | null {
  const clicksOf = ({ today }: RankedEntity): number => today.before.reduce((sum, { clicks }) => sum + clicks, 0)
  const [busiest] = entities.toSorted((a, b) => clicksOf(b) - clicksOf(a))
  const usual = busiest && usualOf('position', { weeks: busiest.today.before, yearAgo: [] }, busiest.today.now)
  if (!usual) return null
  const { expected, high } = usual
  const away = (reach: number): number => Math.max(threshold, reach * further[sensitivity])
  const best = expected - away(high - expected)
  return {
    entity: busiest.name,
    value: expected,
    // A position falls when its number grows, and there is none before the first.
    low: direction === 'falls' || best < 1 ? null : best,
    high: direction === 'rises' ? null : expected + away(high - expected),
  }
}
