import { readFileSync } from 'node:fs'

/** A file with part of a font's characters: browsers only load the parts a page needs. */
export type FontFile = { name: string; url: URL; ranges: readonly (readonly [from: number, to: number])[] }

export type Family = keyof typeof packages

/** The files used from each package; null: all. Inter covers Latin, Greek and Cyrillic, as on the screens. */
const packages = {
  inter: null,
  'noto-sans-arabic': ['arabic', 'math', 'symbols'],
  'noto-sans-hebrew': ['hebrew'],
  'noto-sans-thai': ['thai'],
  'noto-sans-devanagari': ['devanagari'],
  'noto-sans-sc': null,
  'noto-sans-jp': null,
  'noto-sans-kr': null,
  'noto-emoji': null,
} as const

/** Every file of every font; opens none. */
export function fontFiles(): Map<Family, FontFile[]> {
  return new Map((Object.keys(packages) as Family[]).map((family) => [family, filesOf(family)]))
}

function filesOf(family: Family): FontFile[] {
  const address = (file: string): URL => new URL(import.meta.resolve(`@fontsource-variable/${family}/${file}`))
  const ranges = JSON.parse(readFileSync(address('unicode.json'), 'utf8')) as Record<string, string>
  const used: readonly string[] | null = packages[family]
  return Object.entries(ranges)
    .map(([key, text]) => ({ part: key.replaceAll(/[[\]]/g, ''), text }))
    .filter(({ part }) => used === null || used.includes(part))
    .map(({ part, text }) => ({
      name: `${family}-${part}`,
      url: address(`files/${family}-${part}-wght-normal.woff2`),
      ranges: text.split(',').map(rangeOf),
    }))
}

/** `U+4E00`, `U+4E00-4E0F`, and `U+4??` as in style sheets. */
function rangeOf(text: string): readonly [number, number] {
  const [from = '', to = from] = text.trim().replace(/^U\+/i, '').split('-')
  return [Number.parseInt(from.replaceAll('?', '0'), 16), Number.parseInt(to.replaceAll('?', 'F'), 16)]
}
