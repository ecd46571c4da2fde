import { domainOf } from '../accounts/property-name.ts'

/** Text as brand terms are compared: ignores case, spaces and hyphens. The facts store does the same in SQL (facts/questions/brand-sql.ts). */
export const compactText = (text: string): string => text.toLowerCase().replaceAll(' ', '').replaceAll('-', '')

/** The terms to search for; drops empty ones, which would match everything. */
export const compactTerms = (terms: readonly string[]): string[] => [...new Set(terms.map(compactText))].filter((term) => term !== '')

/** Second-level domains under which names are registered, as `co` in `name.co.uk`. */
const secondLevel = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'ne', 'or', 'org'])

/** Brand terms from a property's own name: its host without the suffix, and the parts between hyphens. */
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
