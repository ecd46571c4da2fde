import type { Sensitivity } from '../../../contract/alerts/conditions.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { createRates, type RateDays, type Rates, type RateTested } from '../../detection/click-rates.ts'
import type { Direction } from '../../detection/expectation.ts'
import type { Deviation } from '../../detection/smart.ts'
import type { Verdict } from '../lifecycle.ts'
import type { Rule } from '../rule.ts'
import { type LastingUnusual, verdictOf } from './verdict.ts'

/** Deviations from which on a CTR is unusual two days running, or once; and what sensitivity does to them. */
const twice = 3.5
const once = 4.4
const shifted: Record<Sensitivity, number> = { low: 0.2, normal: 0, high: -0.25 }
/** Beyond an alarm by as much as makes a false one unlikely. */
const certain = 1.4
/** Months between two such scores of a query, at the alarm's limit, and by how much a score has to grow for ten times as many. */
const rarity = { months: 24, tenfold: 1.2, most: 60 }

/** CTR of some queries, day by day from one day on; `known` says of which days anything is stored. */
export type RateHistory = { names: readonly string[]; days: readonly RateDays[]; known: readonly boolean[] }

export const ratesOf = ({ days, known }: RateHistory): Rates => createRates(days, known)

/**
 * Judges the CTR of queries together on the day with index `end`.
 * @param among indexes of those that the rule watches; open alerts' queries are judged beside them
 * @param open alerts of the rule that last, by query
 */
export function judgeRates(
  rule: Rule,
  { names }: Pick<RateHistory, 'names'>,
  rates: Rates,
  { among, end, through }: { among: readonly number[]; end: number; through: IsoDate },
  open: ReadonlyMap<string, LastingUnusual>,
): Verdict[] {
  const sides = new Map(
    (['fall', 'rise'] as const)
      .filter((direction) => rule.direction === 'both' || rule.direction === `${direction}s`)
      .map((direction) => [direction, [rates(among, end, direction), rates(among, end - 1, direction)] as const]),
  )
  return among.flatMap((query, i): Verdict[] => {
    const name = names[query] ?? ''
    const of = (direction: Direction): Deviation | null => {
      const [today, before] = sides.get(direction) ?? [[], []]
      return deviationOf(direction, today[i] ?? null, before[i]?.score ?? 0, rule.sensitivity)
    }
    const lasts = open.get(name) ?? null
    const verdict = verdictOf(rule, { kind: 'query', name }, { fall: of('fall'), rise: of('rise') }, through, lasts)
    return verdict.finding || lasts ? [verdict] : []
  })
}

function deviationOf(direction: Direction, today: RateTested | null, before: number, sensitivity: Sensitivity): Deviation | null {
  if (!today || today.impressions === 0) return null
  const { score, length, clicks, impressions, expected } = today
  const threshold = twice + shifted[sensitivity]
  const isAlarm = (score >= threshold && before >= threshold) || score >= once + shifted[sensitivity]
  return {
    direction,
    length,
    actual: clicks / impressions,
    expected: expected / impressions,
    days: length,
    ratio: score / threshold,
    isAlarm,
    months: Math.min(rarity.most, rarity.months * 10 ** ((score - twice) / rarity.tenfold)),
    isCertain: score >= threshold + certain,
    lastDay: null,
  }
}
