/**
 * Whether a query contains one of the brand's terms, which are the result of `compactTerms`, anywhere and in any spelling. The question
 * binds `brandParams`. One by one: searched for together (`multiSearchAny`), fifty terms made for it took 50 milliseconds in a single long
 * query, and these take 0.3 (decision 0110).
 */
export const isBrandSql = (query: string, terms: readonly string[]): string =>
  terms.length === 0
    ? 'materialize(0)'
    : `(${terms.map((_, at) => `position(${compactSql(query)}, {brand${at}:String}) > 0`).join(' OR ')})`

const compactSql = (query: string): string => `replaceAll(replaceAll(lowerUTF8(${query}), ' ', ''), '-', '')`

export const brandParams = (terms: readonly string[]): Record<string, string> =>
  Object.fromEntries(terms.map((term, at) => [`brand${at}`, term]))
