/** A year at the end, or a short number elsewhere: what a person's or company's name has, and no telephone number. */
const fewDigits = /^\P{N}*(?:\p{N}{0,2}\P{N}*|\p{N}{0,4})$/u
const mostDigitsTogether = 4
const longest = 24

const asRead = (name: string): string => name.normalize('NFKC')
const digitsOf = (name: string): number => asRead(name).match(/\p{N}/gu)?.length ?? 0

/**
 * Those of an email's usernames that its reader, who never agreed to any email, may see: names that are too short for a message, and have
 * no telephone number, not even together. Null in place of the others.
 */
export function namesForStrangers(names: readonly (string | null)[]): (string | null)[] {
  const together = names.reduce((sum, name) => sum + digitsOf(name ?? ''), 0)
  const isHarmless = (name: string): boolean =>
    [...asRead(name)].length <= longest && fewDigits.test(asRead(name)) && (together <= mostDigitsTogether || digitsOf(name) === 0)
  return names.map((name) => (name !== null && isHarmless(name) ? name : null))
}
