import { lookalikes } from './lookalikes.ts'

/** Characters that aren't shown, even though some of them are letters (Hangul fillers). */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** A name at a glance: without case, accents, spaces, punctuation and what isn't shown. */
const atAGlance = (name: string): string =>
  [...name.normalize('NFKD').replace(invisible, '').toLowerCase()]
    .map((sign) => lookalikes[sign] ?? sign)
    .filter((sign) => /[\p{L}\p{N}]/u.test(sign))
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/** Shorter names occur in words by chance, so only the whole name is compared. */
const shortest = 4

/**
 * Whether a sender's name could pass for the operator or for an address. Mixed alphabets alone say nothing: people write `PROдвижение`.
 * @param operators their names: the product, the sender name of emails, their host
 */
export function pretends(name: string, operators: readonly string[]): boolean {
  // Mail programs show an address in a name as if it were the sender's.
  if (/[@＠﹫]/.test(name)) return true
  const seen = atAGlance(name)
  return operators
    .map(atAGlance)
    .filter((operator) => operator !== '')
    .some((operator) => (operator.length < shortest ? seen === operator : seen.includes(operator)))
}
