import { type BrandList, newBrandList } from '../../../contract/brand.ts'

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
