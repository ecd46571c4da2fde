import { domainOf } from '../accounts/property-name.ts'

/** Text as the brand rule compares it: capitals, blanks and hyphens do not count. The facts store does the same in SQL (facts/brand-sql.ts). */
export const compactText = (text: string): string => text.toLowerCase().replaceAll(' ', '').replaceAll('-', '')

/** The terms as they are looked for; those of which nothing is left would be found everywhere. */
export const compactTerms = (terms: readonly string[]): string[] => [...new Set(terms.map(compactText))].filter((term) => term !== '')

/** Tells whether a query is one of the brand: it holds one of the terms, wherever and however written. */
export function brandRule(terms: readonly string[]): (query: string) => boolean {
  const compact = compactTerms(terms)
  return (query) => {
    const text = compactText(query)
    return compact.some((term) => text.includes(term))
  }
}

/** Ends of host names under which names are given out, as `co` in `name.co.uk`. */
const secondLevel = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'ne', 'or', 'org'])

/** Terms made from a property's own name: what stands before the ending of its host, and its parts where hyphens part it. */
export function suggestedTerms(property: string): string[] {
  const labels = hostOf(property).split('.').filter(Boolean)
  const ending = labels.length > 2 && secondLevel.has(labels.at(-2) ?? '') && labels.at(-1)?.length === 2 ? 2 : 1
  const name = labels.at(-1 - ending) ?? labels[0] ?? ''
  const isAddress = labels.length > 0 && labels.every((label) => /^\d+$/.test(label))
  if (isAddress || compactText(name).length < 2) return []
  return name.includes('-') ? [name, name.replaceAll('-', ' ')] : [name]
}

function hostOf(property: string): string {
  const domain = domainOf(property)
  if (domain !== null) return domain.toLowerCase()
  return URL.canParse(property) ? new URL(property).hostname.toLowerCase() : ''
}
