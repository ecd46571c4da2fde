import { z } from 'zod'
import { analyticsQuery, comparedFigures, dayFigures } from './analytics.ts'
import { propertyQuery } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Most terms that a property's brand list holds. */
export const mostBrandTerms = 50

/** Words that make a query one of the brand, wherever they stand in it, capitals or not. */
const brandTerm = z
  .string()
  .trim()
  .toLowerCase()
  // Blanks and hyphens do not count when a query is compared with it.
  .regex(/[^ -].*[^ -]/su, 'A brand term needs at least 2 characters')
  .regex(/^\P{Cc}*$/u, 'A brand term can’t contain line breaks or other control characters')
  .max(100, 'A brand term can have up to 100 characters')

/** `suggested`: made from the property's own name, until its owner has saved a list. */
export const brandList = z.object({ terms: z.array(z.string()), suggested: z.boolean() })
export type BrandList = z.infer<typeof brandList>
export const newBrandList = z.object({
  terms: z
    .array(brandTerm)
    .max(mostBrandTerms, `You can have up to ${mostBrandTerms} brand terms`)
    .transform((terms) => [...new Set(terms)]),
})

/** `hidden` is what Google names no query for: the total without all named queries. Days oldest first. */
export const brandSplit = z.object({
  brand: comparedFigures,
  nonBrand: comparedFigures,
  hidden: z.object({ clicks: z.number(), impressions: z.number() }),
  brandDays: z.array(dayFigures),
  nonBrandDays: z.array(dayFigures),
})
export type BrandSplit = z.infer<typeof brandSplit>

/** Null where no property is selected, or nothing of it is stored yet. */
export const brandEndpoints = {
  read: endpoint({ method: 'GET', path: '/api/brand', access: 'session', query: propertyQuery, answer: brandList.nullable() }),
  save: endpoint({ method: 'PUT', path: '/api/brand', access: 'session', query: propertyQuery, body: newBrandList, answer: brandList }),
  split: endpoint({ method: 'GET', path: '/api/brand/split', access: 'session', query: analyticsQuery, answer: brandSplit.nullable() }),
}
