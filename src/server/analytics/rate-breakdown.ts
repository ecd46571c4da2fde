import type { Period } from '../../contract/metrics.ts'
import type { RateBreakdown } from '../../contract/alerts/rate-breakdown.ts'
import { isComparable } from '../../core/analytics/anomalies.ts'
import { compactTerms } from '../../core/analytics/brand.ts'
import { type Compared, type Fraction, rateOf, ratePartsOf, restOf, shareOf } from '../../core/alerting/rate-parts.ts'
import { grainOfSplit, type RateChangeOf, type RateMove, rateMoves, rateTotals, type Split } from '../facts/questions/change-parts.ts'
import type { CompleteProperty } from './requested-property.ts'
import { type AnalyticsParts, curveOf, isStored, knownLoads } from './parts.ts'

export type RateBreakdownQuestion = { of: RateChangeOf; metric: 'ctr' | 'position'; current: Period; previous: Period }

type Dimension = RateBreakdown['by'][number]['dimension']

const splitsOf = {
  site: ['page', 'query', 'device', 'country', 'brand'],
  page: ['query'],
  query: ['query', 'page'],
  queries: ['query'],
} as const satisfies Record<RateChangeOf['kind'], readonly Dimension[]>

/** Splits into which Google doesn't count everything: it doesn't name some queries. */
const isNamedOnly = ({ kind }: RateChangeOf, split: Dimension): boolean =>
  kind === 'page' || (kind === 'site' && (split === 'query' || split === 'brand'))
/** Splits that Google counts by page, so that their sums aren't those of the whole. */
const isByPage = ({ kind }: RateChangeOf, split: Dimension): boolean => kind !== 'page' && split === 'page'

const mostNamed = 5
/** Sums of positions aren't whole numbers. */
const rounding = 1e-6

/**
 * Breaks down a change in CTR or position into the parts' own changes and those of their shares; null if some of its days aren't stored,
 * were counted differently, or have no impressions. A split whose sums aren't exactly those of what it splits is left out.
 */
export const createRateBreakdown =
  (parts: AnalyticsParts) =>
  async (property: CompleteProperty, { of, metric, current, previous }: RateBreakdownQuestion): Promise<RateBreakdown | null> => {
    const { facts, brands } = parts
    if (!isComparable(metric, current, previous)) return null
    const spans = [current, previous]
    const splits: readonly Dimension[] = splitsOf[of.kind]
    const grains = [...new Set([grainOfSplit(of, 'site'), ...splits.map((split) => grainOfSplit(of, split))])]
    const loads = await knownLoads(parts, property, { grains, spans })
    const isKnown = (split: Split) => spans.every((span) => isStored(loads, grainOfSplit(of, split), span))
    if (!isKnown('site')) return null
    const brand = await brands.of(property)
    const about = { property: property.id, of, metric, current, previous, scale: 1, loads, brandTerms: compactTerms(brand.terms) }
    const whole = await facts.ask(rateTotals, { ...about, split: 'site' })
    const [now, before] = [rateOf(whole.now), rateOf(whole.before)]
    if (now === null || before === null) return null
    const curve = await curveOf(parts, property, brand)
    const asksPositions = metric === 'ctr' && isComparable('position', current, previous)

    async function movedBy(split: Dimension, change: number): Promise<RateBreakdown['by'][number] | null> {
      const counted = await facts.ask(rateTotals, { ...about, split })
      const all = isByPage(of, split) ? counted : whole
      const [currentRate, previousRate] = [rateOf(all.now), rateOf(all.before)]
      if (currentRate === null || previousRate === null) return null
      const rest = restOf(all, counted)
      const unnamed = isNamedOnly(of, split) ? unnamedOf(rest, all) : null
      if (unnamed === null && !isNothing(rest, all)) return null
      const items = await facts.ask(rateMoves, { ...about, split, whole: all, sign: Math.sign(change), limit: mostNamed, curve })
      const { allRate = 0, allMix = 0, allMoved = 0 } = items[0] ?? {}
      return {
        dimension: split,
        current: currentRate,
        previous: previousRate,
        rate: allRate,
        mix: allMix,
        ...(split === 'query' && asksPositions && { position: allMoved }),
        ...(unnamed !== null && { unnamed }),
        items: items.map((item) => itemOf(item, all)),
      }
    }

    const by: RateBreakdown['by'] = []
    for (const split of splits) {
      const found = isKnown(split) ? await movedBy(split, now - before) : null
      if (found) by.push(found)
    }
    return { current: now, previous: before, by }
  }

/** What queries contribute that Google doesn't name, all of them together; null if more are named than there are. */
function unnamedOf(rest: Compared<Fraction>, whole: Compared<Fraction>): number | null {
  const isMore = ({ sum, of }: Fraction, all: Fraction): boolean => of < 0 || sum < -rounding * Math.max(1, all.sum)
  if (isMore(rest.before, whole.before) || isMore(rest.now, whole.now)) return null
  if (isEmpty(rest.before, whole.before) && isEmpty(rest.now, whole.now)) return 0
  // Clicks without impressions have no CTR.
  if ((rest.before.of === 0 && !isEmpty(rest.before, whole.before)) || (rest.now.of === 0 && !isEmpty(rest.now, whole.now))) return null
  const { rate, mix } = ratePartsOf(rest, whole)
  return rate + mix
}

const isEmpty = ({ sum, of }: Fraction, all: Fraction): boolean => of === 0 && Math.abs(sum) <= rounding * Math.max(1, all.sum)
const isNothing = (rest: Compared<Fraction>, all: Compared<Fraction>): boolean =>
  isEmpty(rest.before, all.before) && isEmpty(rest.now, all.now)

function itemOf({ name, n1, d1, n0, d0, rate, mix }: RateMove, whole: Compared<Fraction>): RateBreakdown['by'][number]['items'][number] {
  const [now, before] = [
    { sum: n1, of: d1 },
    { sum: n0, of: d0 },
  ]
  return {
    name,
    current: rateOf(now),
    previous: rateOf(before),
    currentShare: shareOf(now, whole.now),
    previousShare: shareOf(before, whole.before),
    rate,
    mix,
  }
}
