import { lookalikes } from './lookalikes.ts'

/** Characters that aren't shown, even though some of them are letters (Hangul fillers). */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** A name at a glance: without case, accents, spaces, punctuation (letters that look like it included) and what isn't shown. */
const atAGlance = (name: string): string =>
  [...name.normalize('NFKD').replace(invisible, '').toLowerCase()]
    .map((sign) => lookalikes[sign] ?? sign)
    .filter((sign) => /[\p{L}\p{N}]/u.test(sign) && !/\p{Lm}/u.test(sign))
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/** Shorter names occur in words by chance, so only the whole name is compared. */
const shortest = 4

const isLatin = (glance: string): boolean => /^[a-z\d]+$/.test(glance)

/**
 * Whether a name contains an operator's name, even if some of its letters are in no list of look-alikes: next to Latin letters, each of
 * those may stand for any letter, or for punctuation. Two thirds of the operator's letters must be there.
 */
function hasNearly(seen: string, operator: string): boolean {
  const most = Math.floor(operator.length / 3)
  // For each beginning of the operator's name that may end at this letter: how many of its letters are unlisted ones.
  let ends = [0, ...Array.from(operator, () => Infinity)]
  for (const sign of seen) {
    const before = ends
    ends = before.map((used, length) => {
      const further = before[length - 1] ?? Infinity
      if (!isLatin(sign)) return Math.min(used, further + 1)
      return length === 0 ? 0 : operator[length - 1] === sign ? further : Infinity
    })
    if ((ends.at(-1) ?? Infinity) <= most) return true
  }
  return false
}

/**
 * Whether a sender's name could pass for the operator or for an address. Mixed alphabets alone say nothing: people write `PROдвижение`.
 * @param operators their names: the product, the sender name of emails, their host
 */
export function pretends(name: string, operators: readonly string[]): boolean {
  // Mail programs show an address in a name as if it were the sender's.
  if (/[@＠﹫]/.test(name)) return true
  const seen = atAGlance(name)
  const hasLatin = /\p{Script=Latin}/u.test(name.normalize('NFKD'))
  return operators
    .map(atAGlance)
    .filter((operator) => operator !== '')
    .some((operator) => {
      if (operator.length < shortest) return seen === operator
      return seen.includes(operator) || (hasLatin && isLatin(operator) && hasNearly(seen, operator))
    })
}
