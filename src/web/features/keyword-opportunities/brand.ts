import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { RowFigures } from '../../../contract/figures.ts'
import { type BrandList, type BrandSplit, newBrandList } from '../../../contract/brand.ts'
import { isCompared } from '../../widgets/analytics/coverage/is-compared.ts'

export type BrandRow = {
  side: 'brand' | 'nonBrand' | 'hidden'
  now: RowFigures
  /** Undefined without a comparison, or if nothing is known. */
  before: RowFigures | undefined
  /** Fractions of all clicks and impressions. */
  share: { clicks: number; impressions: number }
}

const nothing: RowFigures = { clicks: 0, impressions: 0, ctr: 0, position: 0 }

/** Brand queries, others, and those Google doesn't name, with their previous figures and as parts of the total. */
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

/** A hidden query's position is unknowable. */
const unranked = ({ clicks, impressions }: { clicks: number; impressions: number }): RowFigures => ({
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  position: 0,
})

/** Changes to the brand list; `keep`: saves the suggested terms as they are. */
export type BrandChange = { kind: 'add' | 'remove'; term: string } | { kind: 'keep' }

/** The list after the change is saved. */
export function afterChange({ terms }: BrandList, change: BrandChange): BrandList {
  if (change.kind === 'keep') return { terms, suggested: false }
  const others = terms.filter((term) => term !== change.term)
  return { terms: change.kind === 'add' ? [...others, change.term] : others, suggested: false }
}

/** The list if the change couldn't be saved: keeps other changes made since `before`. */
export function withoutChange({ terms }: BrandList, change: BrandChange, before: BrandList): BrandList {
  const { suggested } = before
  if (change.kind === 'keep') return { terms, suggested }
  if (change.kind === 'add') return { terms: terms.filter((term) => term !== change.term), suggested }
  const known = new Set(terms)
  const back = before.terms.filter((term) => known.has(term) || term === change.term)
  return { terms: [...back, ...terms.filter((term) => !before.terms.includes(term))], suggested }
}

/** A term in its saved form, or why it can't be added. */
export function termToAdd(typed: string, terms: readonly string[]): { term: string } | { problem: string } {
  // The new one comes first, so that problems with it are reported before a full list.
  const checked = newBrandList.safeParse({ terms: [typed, ...terms] })
  if (!checked.success) return { problem: checked.error.issues[0]?.message ?? 'This isn’t a valid brand term' }
  const [term = ''] = checked.data.terms
  return terms.includes(term) ? { problem: `“${term}” is already on the list` } : { term }
}
