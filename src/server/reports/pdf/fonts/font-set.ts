import { createFace, type Face, type OpenFile, openFontFile, type Weight } from './face.ts'
import { type Family, type FontFile, fontFiles } from './font-files.ts'

/** All fonts together: the right face for any piece of text. */
export type FontSet = {
  /** For the code points of one visible character; undefined if no font has all of them. */
  faceFor(codePoints: readonly number[], weight: Weight, prefer: Preference): Face | undefined
}

/** Which language's shapes to use for Chinese characters, and whether to draw emoji. */
export type Preference = 'plain' | 'chinese' | 'japanese' | 'korean' | 'emoji'

const scripts: readonly Family[] = ['inter', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai', 'noto-sans-devanagari']
const orders: Record<Preference, readonly Family[]> = {
  plain: [...scripts, 'noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr', 'noto-emoji'],
  chinese: [...scripts, 'noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr', 'noto-emoji'],
  japanese: [...scripts, 'noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr', 'noto-emoji'],
  korean: [...scripts, 'noto-sans-kr', 'noto-sans-jp', 'noto-sans-sc', 'noto-emoji'],
  emoji: ['noto-emoji', ...scripts, 'noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'],
}

export function createFontSet(): FontSet {
  const families = fontFiles()
  const open = new Map<FontFile, OpenFile>()
  const faces = new Map<string, Face>()
  const found = new Map<string, Face | undefined>()

  function openFile(file: FontFile): OpenFile {
    const opened = open.get(file) ?? openFontFile(file.url)
    open.set(file, opened)
    return opened
  }

  function faceOf(file: FontFile, weight: Weight): Face {
    const name = `${file.name}-${weight}`
    const face = faces.get(name) ?? createFace(openFile(file), name, weight)
    faces.set(name, face)
    return face
  }

  function search(codePoints: readonly number[], weight: Weight, prefer: Preference): Face | undefined {
    const [first = 0] = codePoints
    for (const family of orders[prefer]) {
      for (const file of families.get(family) ?? []) {
        if (!file.ranges.some(([from, to]) => first >= from && first <= to)) continue
        const { characters } = openFile(file)
        if (codePoints.every((codePoint) => characters.has(codePoint))) return faceOf(file, weight)
      }
    }
    return undefined
  }

  return {
    faceFor(codePoints, weight, prefer) {
      const key = `${weight} ${prefer} ${codePoints.join(' ')}`
      if (!found.has(key)) found.set(key, search(codePoints, weight, prefer))
      return found.get(key)
    },
  }
}
