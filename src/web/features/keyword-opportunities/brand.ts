import type { AnalyticsSummary, RowFigures } from '../../../contract/analytics.ts'
import { type BrandList, type BrandSplit, newBrandList } from '../../../contract/brand.ts'
import { isCompared } from '../../widgets/analytics/is-compared.ts'

export type BrandRow = {
  side: 'brand' | 'nonBrand' | 'hidden'
  now: RowFigures
  /** Undefined where nothing is compared, or nothing is known of it. */
  before: RowFigures | undefined
  /** Parts of all clicks and impressions, fractions. */
  share: { clicks: number; impressions: number }
}

const nothing: RowFigures = { clicks: 0, impressions: 0, ctr: 0, position: 0 }

/** Brand, the others, and what Google names no query for, beside what they were and as parts of the total. */
export function brandRows({ brand, nonBrand, hidden }: BrandSplit, summary: AnalyticsSummary | null | undefined): BrandRow[] {
  const named = isCompared(summary, 'query')
  const compared = named ? (summary?.previousTotals ?? undefined) : undefined
  const was = { brand: brand.previous ?? nothing, nonBrand: nonBrand.previous ?? nothing }
  const wasHidden = compared && {
    clicks: Math.max(0, compared.clicks - was.brand.clicks - was.nonBrand.clicks),
    impressions: Math.max(0, compared.impressions - was.brand.impressions - was.nonBrand.impressions),
  }
  const sides = [
    { side: 'brand' as const, now: brand, before: named ? was.brand : undefined },
    { side: 'nonBrand' as const, now: nonBrand, before: named ? was.nonBrand : undefined },
    { side: 'hidden' as const, now: unranked(hidden), before: wasHidden && unranked(wasHidden) },
  ]
  const sum = (of: 'clicks' | 'impressions') => sides.reduce((all, { now }) => all + now[of], 0)
  const all = { clicks: sum('clicks'), impressions: sum('impressions') }
  const part = (value: number, whole: number) => (whole === 0 ? 0 : value / whole)
  return sides.map((row) => ({
    ...row,
    share: { clicks: part(row.now.clicks, all.clicks), impressions: part(row.now.impressions, all.impressions) },
  }))
}

/** Where a hidden query stood cannot be told. */
const unranked = ({ clicks, impressions }: { clicks: number; impressions: number }): RowFigures => ({
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  position: 0,
})

/** What somebody does to the brand list; `keep`: saves the suggested terms as they are. */
export type BrandChange = { kind: 'add' | 'remove'; term: string } | { kind: 'keep' }

/** The list as it is once that is saved. */
export function afterChange({ terms }: BrandList, change: BrandChange): BrandList {
  if (change.kind === 'keep') return { terms, suggested: false }
  const others = terms.filter((term) => term !== change.term)
  return { terms: change.kind === 'add' ? [...others, change.term] : others, suggested: false }
}

/** The list when that could not be saved: what else was changed since `before` stays. */
export function withoutChange({ terms }: BrandList, change: BrandChange, before: BrandList): BrandList {
  const { suggested } = before
  if (change.kind === 'keep') return { terms, suggested }
  if (change.kind === 'add') return { terms: terms.filter((term) => term !== change.term), suggested }
  const known = new Set(terms)
  const back = before.terms.filter((term) => known.has(term) || term === change.term)
  return { terms: [...back, ...terms.filter((term) => !before.terms.includes(term))], suggested }
}

/** A term as it is saved, or why it is not one to add. */
export function termToAdd(typed: string, terms: readonly string[]): { term: string } | { problem: string } {
  // The new one comes first, so that what is said about it comes before that the list is full.
  const checked = newBrandList.safeParse({ terms: [typed, ...terms] })
  if (!checked.success) return { problem: checked.error.issues[0]?.message ?? 'This isn’t a valid brand term' }
  const [term = ''] = checked.data.terms
  return terms.includes(term) ? { problem: `“${term}” is already on the list` } : { term }
}
