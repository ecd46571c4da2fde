import { z } from 'zod'
import { analyticsQuery } from './analytics.ts'
import { comparedFigures, counts, dayFigures } from './figures.ts'
import { cleanedText, propertyQuery } from './common.ts'
import { signedIn } from './endpoint.ts'

/** Maximum number of terms in a property's brand list. */
export const mostBrandTerms = 50

/** A word that marks a query as branded, anywhere in it, ignoring case. */
const brandTerm = cleanedText(100, (typed) => typed.trim().toLowerCase(), 'A brand term can have up to 100 characters')
  // Comparisons ignore spaces and hyphens.
  .regex(/[^ -].*[^ -]/su, 'A brand term needs at least 2 characters')
  .regex(/^\P{Cc}*$/u, 'A brand term can’t contain line breaks or other control characters')

/** `suggested`: derived from the property's own name, until its owner saves a list. */
export const brandList = z.object({ terms: z.array(z.string()), suggested: z.boolean() })
export type BrandList = z.infer<typeof brandList>
export const newBrandList = z.object({
  terms: z
    .array(brandTerm)
    .max(mostBrandTerms, `You can have up to ${mostBrandTerms} brand terms`)
    .transform((terms) => [...new Set(terms)]),
})

/** `hidden` are queries Google doesn't name: the total of the days stored by query, minus all named queries. Days oldest first. */
export const brandSplit = z.object({
  brand: comparedFigures,
  nonBrand: comparedFigures,
  hidden: counts,
  brandDays: z.array(dayFigures),
  nonBrandDays: z.array(dayFigures),
})
export type BrandSplit = z.infer<typeof brandSplit>

/** Null if no property is selected, or nothing of it is stored yet. */
export const brandEndpoints = {
  read: signedIn.get('/api/brand', { query: propertyQuery, answer: brandList.nullable() }),
  save: signedIn.put('/api/brand', { query: propertyQuery, body: newBrandList, answer: brandList }),
  split: signedIn.get('/api/brand/split', { query: analyticsQuery, isLong: 'days', answer: brandSplit.nullable() }),
}
