/** A year at the end, or a short number elsewhere: what the name of a person or company may have, unlike a phone number. */
const fewDigits = /^\P{N}*(?:\p{N}{0,2}\P{N}*|\p{N}{0,4})$/u
const mostDigitsTogether = 4
const longest = 24

/** Maximum length of all names in one list together: enough for two long names, too short for a message. */
const longestTogether = 2 * longest

/** Letters that look like a digit (Unicode's list). They count as digits in a part that has nothing else, such as `8OO`. */
const likeDigits = /^[\p{N}OoОоΟοՕօIlΙІӀӏƖZΖƧƨϨЗзӠӡƷʒȜȝꞫⳌⳍᏎSЅՏƼƽбᏮȢȣBΒВgq৪੪]+$/u

const asRead = (name: string): string =>
  name
    .normalize('NFKC')
    .split(/([^\p{L}\p{N}]+)/u)
    .map((part) => (likeDigits.test(part) ? part.replace(/./gu, '0') : part))
    .join('')
const digitsOf = (name: string): number => asRead(name).match(/\p{N}/gu)?.length ?? 0

/**
 * Those of an email's usernames that its reader, who never agreed to any email, may see: names that are too short for a message, and have
 * no phone number, not even together. Null in place of the others.
 */
export function namesForStrangers(names: readonly (string | null)[]): (string | null)[] {
  const together = names.reduce((sum, name) => sum + digitsOf(name ?? ''), 0)
  const isHarmless = (name: string): boolean =>
    [...asRead(name)].length <= longest && fewDigits.test(asRead(name)) && (together <= mostDigitsTogether || digitsOf(name) === 0)
  const shown = names.map((name) => (name !== null && isHarmless(name) ? name : null))
  return [...shown.join('')].length <= longestTogether ? shown : names.map(() => null)
}
