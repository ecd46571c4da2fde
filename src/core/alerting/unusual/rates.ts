import type { Sensitivity } from '../../../contract/alerts/conditions.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { createRates, type Rates, type RateTested } from '../../detection/click-rates.ts'
import type { RateDays } from '../../detection/rate-base.ts'
import type { Direction } from '../../detection/expectation.ts'
import type { Deviation } from '../../detection/smart.ts'
import type { Verdict } from '../lifecycle.ts'
import type { Rule } from '../rule.ts'
import type { ExpectedWeek } from './expected.ts'
import { isComparedWithBefore } from './many.ts'
import { type LastingUnusual, verdictOf } from './verdict.ts'

/** Standard deviations beyond which a CTR is unusual on two consecutive days, or on one day; and the shift for each sensitivity. */
const twice = 3.5
const once = 4.4
/** The same for all queries together. */
const together = { twice: 3.1, once: 4 }
const shifted: Record<Sensitivity, number> = { low: 0.2, normal: 0, high: -0.25 }
/** The smallest change of all queries together, as a share of the rule's threshold for one. */
const sharedPart = 0.6
/** How far beyond the alarm limit a false alarm is unlikely. */
const certain = 1.4
/** Months between two scores of a query at the alarm limit, and how much higher a score must be to be ten times as rare. */
const rarity = { months: 24, tenfold: 1.2, most: 60 }

/** Daily CTR of some queries from one day on; `known` says for which days anything is stored. */
export type RateHistory = { names: readonly string[]; days: readonly RateDays[]; known: readonly boolean[] }

export const ratesOf = ({ days, known }: RateHistory): Rates => createRates(days, known)

/**
 * Evaluates the CTR of queries together on the day with index `end`.
 * @param among indexes of those that the rule watches; open alerts' queries are evaluated as well
 * @param open the rule's open alerts, by query
 * @param pause awaited between steps of up to a few tenths of a second
 */
export async function evaluateRates(
  rule: Rule,
  { names }: Pick<RateHistory, 'names'>,
  rates: Rates,
  { among, end, through }: { among: readonly number[]; end: number; through: IsoDate },
  open: ReadonlyMap<string, LastingUnusual>,
  pause: () => Promise<void>,
): Promise<Verdict[]> {
  const sides = new Map<Direction, readonly [today: (RateTested | null)[], before: (RateTested | null)[]]>()
  for (const direction of ['fall', 'rise'] as const) {
    if (rule.direction !== 'both' && rule.direction !== `${direction}s`) continue
    await pause()
    const today = rates.testEach(among, end, direction)
    await pause()
    sides.set(direction, [today, rates.testEach(among, end - 1, direction)])
  }
  return among.flatMap((query, i): Verdict[] => {
    const name = names[query] ?? ''
    const of = (direction: Direction): Deviation | null => {
      const [today, before] = sides.get(direction) ?? [[], []]
      return deviationOf(direction, today[i] ?? null, before[i]?.score ?? 0, rule.sensitivity, { twice, once })
    }
    const lasts = open.get(name) ?? null
    const deviations = { fall: of('fall'), rise: of('rise') }
    const verdict = verdictOf(rule, { kind: 'query', name }, deviations, through, lasts)
    if (lasts && isUntested(deviations)) return untested(verdict, lasts, through, rates.rateOf([query], end))
    return verdict.finding || lasts ? [verdict] : []
  })
}

/**
 * Evaluates the CTR of the site's top queries together, which is about the whole site: what they all share is removed from each of them.
 * Null if the rule has chosen queries, or only those of a segment, or if nothing can be said.
 * @param lasts the rule's open alert about the site
 */
export async function evaluateShared(
  rule: Rule,
  site: string,
  rates: Rates,
  { among, end, through }: { among: readonly number[]; end: number; through: IsoDate },
  lasts: LastingUnusual | null,
  pause: () => Promise<void>,
): Promise<Verdict | null> {
  if (rule.monitor !== 'top_queries' || rule.segment !== null) return null
  const deviations: Record<Direction, Deviation | null> = { fall: null, rise: null }
  for (const direction of ['fall', 'rise'] as const) {
    if (rule.direction !== 'both' && rule.direction !== `${direction}s`) continue
    await pause()
    const [today, before] = [rates.testTogether(among, end, direction), rates.testTogether(among, end - 1, direction)]
    deviations[direction] = deviationOf(direction, today, before?.score ?? 0, rule.sensitivity, together)
  }
  const verdict = verdictOf({ ...rule, threshold: sharedPart * rule.threshold }, { kind: 'site', name: site }, deviations, through, lasts)
  if (lasts && isUntested(deviations)) return untested(verdict, lasts, through, rates.rateOf(among, end))[0] ?? null
  return verdict.finding || lasts ? verdict : null
}

const isUntested = ({ fall, rise }: Record<Direction, Deviation | null>): boolean => fall === null && rise === null

/**
 * Too few impressions, or an unknown day, say nothing about an open alert: it has no verdict as long as most of the days that it would be
 * compared with are from before it. After that it ends, with the CTR that there is.
 */
function untested(verdict: Verdict, lasts: LastingUnusual, through: IsoDate, value: number | null): Verdict[] {
  if (isComparedWithBefore(lasts, through)) return []
  return [{ ...verdict, lately: { isBack: false, level: { value, before: lasts.opening?.previous ?? null, days: 14 } } }]
}

/**
 * The expected CTR of the first query in `among`, and the CTR at which the rule alerts if two consecutive days show it: the score's
 * formula, solved for clicks.
 */
export function expectedRate(
  { direction, sensitivity, threshold }: Rule,
  { names }: Pick<RateHistory, 'names'>,
  rates: Rates,
  { among, end }: { among: readonly number[]; end: number },
): ExpectedWeek | null {
  const [tested] = rates.testEach(among, end, direction === 'rises' ? 'rise' : 'fall')
  const name = names[among[0] ?? -1]
  if (!tested || name === undefined || tested.impressions === 0) return null
  const { expected, impressions, variance } = tested
  const limit = (sign: 1 | -1): number => {
    const root = Math.max(0, 1 + (sign * (twice + shifted[sensitivity]) * Math.sqrt(variance)) / 2)
    const clicks = Math.max(0, (expected + 3 / 8) * root ** 2 - 3 / 8)
    return sign * Math.max(sign * clicks, sign * expected * (1 + (sign * threshold) / 100))
  }
  const rate = (sign: 1 | -1): number | null => {
    const found = limit(sign) / impressions
    return found > 1 ? null : found
  }
  return {
    entity: name,
    value: expected / impressions,
    low: direction === 'rises' ? null : rate(-1),
    high: direction === 'falls' ? null : rate(1),
  }
}

function deviationOf(
  direction: Direction,
  today: RateTested | null,
  before: number,
  sensitivity: Sensitivity,
  limits: typeof together,
): Deviation | null {
  if (!today || today.impressions === 0) return null
  const { score, length, clicks, impressions, expected } = today
  const threshold = limits.twice + shifted[sensitivity]
  const isAlarm = (score >= threshold && before >= threshold) || score >= limits.once + shifted[sensitivity]
  return {
    direction,
    length,
    actual: clicks / impressions,
    expected: expected / impressions,
    days: length,
    ratio: score / threshold,
    isAlarm,
    months: Math.min(rarity.most, rarity.months * 10 ** ((score - limits.twice) / rarity.tenfold)),
    isCertain: score >= threshold + certain,
    lastDay: null,
  }
}
