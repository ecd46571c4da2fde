const letters: Record<string, string> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }

/** Longer than any word that means something here: a column's name, a country, a device. */
const longestWord = 100

/**
 * Normalizes a word for comparison: lowercase, without accents, spaces or punctuation, so that "Landing page" equals "landing_page". Empty
 * if it is too long to be any known word.
 */
export function fold(text: string): string {
  if (text.length > longestWord) return ''
  const composed = text.normalize('NFKC')
  // A single letter may stand for eighteen.
  if (composed.length > longestWord) return ''
  return composed
    .toLowerCase()
    .normalize('NFD')
    .replace(/[ıłøđßæœ]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** A copy, because a substring keeps the whole string in memory, here a large piece of a file. */
export const ownText = (text: string): string => ` ${text}`.slice(1)

/** Folding costs more than the rest of a row, and a file repeats a few words in every row. */
const remembered = 2000
/** Caches a lookup for the latest words. */
export function remember<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, { value: T }>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.value
    const value = look(text)
    if (text.length > longestWord) return value
    if (known.size >= remembered) known.clear()
    known.set(ownText(text), { value })
    return value
  }
}
