import type { AnomalyMetric } from '../../contract/annotations.ts'
import type { ChangeBreakdown } from '../../contract/alerts/change-breakdown.ts'
import type { Period } from '../../contract/metrics.ts'
import { isComparable } from '../../core/analytics/anomalies.ts'
import { compactTerms } from '../../core/analytics/brand.ts'
import { type ChangeOf, type ChangeQuestion, clicksParts, grainOfSplit, mostMoved, type Split } from '../facts/questions/change-parts.ts'
import type { CompleteProperty } from './requested-property.ts'
import { curveOf, isStored, knownLoads, type AnalyticsParts } from './parts.ts'

export type BreakdownQuestion = {
  of: ChangeOf
  metric: 'clicks' | 'impressions'
  current: Period
  /** The earlier period; `scale` converts its sums to the length of the current one. */
  previous: Period
  scale: number
}

const splitsOf = {
  site: ['page', 'query', 'device', 'country', 'brand'],
  page: ['query'],
  query: ['page'],
} as const satisfies Record<ChangeOf['kind'], readonly Split[]>

/** Maximum number of parts listed per split. */
const mostNamed = 5

/**
 * Breaks down a change in clicks or impressions into parts that add up to it; null if some of its days aren't stored, or Google counted
 * them differently. A split whose own days aren't completely stored is left out, and so is the split by cause, which rests on queries, if
 * their impressions or positions were counted differently.
 */
export const createBreakdown =
  (parts: AnalyticsParts) =>
  async (property: CompleteProperty, { of, metric, current, previous, scale }: BreakdownQuestion): Promise<ChangeBreakdown | null> => {
    const { facts, brands } = parts
    const isAlike = (figure: AnomalyMetric) => isComparable(figure, current, previous)
    if (!isAlike(metric)) return null
    const spans = [current, previous]
    const splits: readonly Split[] = ['site', ...splitsOf[of.kind]]
    const queries = of.kind === 'page' ? 'query_page' : 'query'
    const grains = [...new Set([...splits.map((split) => grainOfSplit(of, split)), queries] as const)]
    const loads = await knownLoads(parts, property, { grains, spans })
    const isKnown = (split: Split) => spans.every((span) => isStored(loads, grainOfSplit(of, split), span))
    if (!isKnown('site')) return null
    const brand = await brands.of(property)
    const question: ChangeQuestion = { property: property.id, of, current, previous, scale, loads }
    const moved = (split: Split, sign: number) =>
      facts.ask(mostMoved, { ...question, metric, split, sign, limit: mostNamed, brandTerms: compactTerms(brand.terms) })
    const [whole = { current: 0, previous: 0 }] = await moved('site', 1)
    const change = whole.current - whole.previous
    const by: ChangeBreakdown['by'] = []
    for (const split of splitsOf[of.kind]) if (isKnown(split)) by.push({ dimension: split, items: await moved(split, Math.sign(change)) })

    const areQueriesKnown = spans.every((span) => isStored(loads, queries, span))
    const areCountedAlike = isAlike('impressions') && isAlike('position')
    if (metric !== 'clicks' || !areQueriesKnown || !areCountedAlike)
      return { current: whole.current, previous: whole.previous, parts: null, by }
    const named = await facts.ask(clicksParts, { ...question, curve: await curveOf(parts, property, brand) })
    const anonymized = change - (named.demand + named.position + named.ctr + named.shown)
    return { current: whole.current, previous: whole.previous, parts: { ...named, anonymized }, by }
  }
