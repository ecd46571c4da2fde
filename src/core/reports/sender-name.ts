/** Letters and symbols that look like others in most fonts. */
const lookalikes: Record<string, string> = Object.fromEntries(
  [
    ['a', 'аαɑ@4'],
    ['b', 'вьƅ8'],
    ['c', 'сϲ'],
    ['e', 'еєε3'],
    ['g', 'ɡ9'],
    ['h', 'нһ'],
    ['i', 'іıιl1|!ӏ'],
    ['k', 'кκ'],
    ['m', 'м'],
    ['n', 'пη'],
    ['o', 'оοσ0'],
    ['p', 'рρ'],
    ['r', 'гʀ'],
    ['s', 'ѕ5$'],
    ['t', 'тτ7'],
    ['u', 'υս'],
    ['v', 'ν'],
    ['x', 'хχ'],
    ['y', 'уγ'],
  ].flatMap(([letter = '', others = '']) => [...others].map((other) => [other, letter])),
)

/** A name at a glance: without case, accents, spaces and punctuation. */
const atAGlance = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .map((sign) => lookalikes[sign] ?? sign)
    .filter((sign) => /[\p{L}\p{N}]/u.test(sign))
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/** Shorter names occur in words by chance, so only the whole name is compared. */
const shortest = 4

/**
 * Whether a sender's name could pass for the operator or for an address.
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
