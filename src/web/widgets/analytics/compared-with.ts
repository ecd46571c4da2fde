import { defaultHistory } from '../../../contract/history.ts'
import { type Comparison, comparison, writeComparison } from '../../../contract/range.ts'

const usual = defaultHistory.compare

/** The comparison in a URL; the usual one for an invalid value. */
export function comparisonIn(text: string): Comparison {
  const { data } = comparison.safeParse(text)
  return data ?? usual
}

/** The same in URL form; empty for the usual one. */
export const comparingWith = (compare: Comparison): string => (compare === usual ? '' : writeComparison(compare))

/** As requested from the server, from its URL form. */
export const askedComparison = (text: string): string => writeComparison(comparisonIn(text))
