/**
 * Whether a query contains one of the brand's terms, anywhere and in any spelling. The question binds `brandTerms`, the result of
 * `compactTerms`, at most 255. Never in JavaScript: fifty terms made for it take seconds in thousands of long queries.
 */
export const isBrandSql = (query: string): string =>
  `multiSearchAny(replaceAll(replaceAll(lowerUTF8(${query}), ' ', ''), '-', ''), {brandTerms:Array(String)})`
