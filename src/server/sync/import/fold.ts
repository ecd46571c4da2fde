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
