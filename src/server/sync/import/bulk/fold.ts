const letters: Record<string, string> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }

/** A word for comparing: small letters without accents, spaces or punctuation, so that "Landing page" is "landing_page". */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[ıłøđßæœ]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Folding costs more than all the rest of a row, and a file repeats a few words in every row. */
const remembered = 2000

/** The same look-up with the latest words remembered. */
export function remember<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = look(text)
    if (known.size >= remembered) known.clear()
    known.set(text, value)
    return value
  }
}
