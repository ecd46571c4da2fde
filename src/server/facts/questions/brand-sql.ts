/**
 * Whether a query is one of the brand, the same rule as `brandRule` in core. The question binds `brandTerms`: what
 * `compactTerms` makes of them, at most 255.
 */
export const isBrandSql = (query: string): string =>
  `multiSearchAny(replaceAll(replaceAll(lowerUTF8(${query}), ' ', ''), '-', ''), {brandTerms:Array(String)})`
