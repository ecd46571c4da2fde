import createBidi from 'bidi-js'
import type { Face, Weight } from './face.ts'
import type { FontSet, Preference } from './font-set.ts'

/** Text drawn with one face, starting where the previous run ended. */
export type Run = { face: Face; text: string }

const bidi = createBidi()
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Splits text into the characters people see. */
export const charactersOf = (text: string): string[] => Array.from(clusters.segment(text), ({ segment }) => segment)

/** Removes what has no shape: control characters and direction marks. Half a surrogate pair becomes the replacement character. */
export const drawable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu, '')

type Piece = { face: Face; text: string; level: number }

/** Runs in their order from left to right. `text` is `drawable`. */
export function runsOf(text: string, weight: Weight, fonts: FontSet): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr')
  const prefer = preferenceOf(text)
  const pieces: Piece[] = []
  let at = 0
  for (const character of charactersOf(text)) {
    const level = levels[at] ?? 0
    for (const piece of piecesOf(character, weight, fonts, prefer)) pieces.push({ ...piece, level })
    at += character.length
  }
  return reordered(merged(pieces)).map(({ face, text: drawn, level }) => ({ face, text: level % 2 === 1 ? turned(drawn) : drawn }))
}

/** Han characters look different in Chinese and Japanese; their neighbors tell which it is. */
function preferenceOf(text: string): Preference {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'japanese'
  if (/\p{Script=Hangul}/u.test(text)) return 'korean'
  return /\p{Script=Han}/u.test(text) ? 'chinese' : 'plain'
}

function piecesOf(character: string, weight: Weight, fonts: FontSet, around: Preference): Omit<Piece, 'level'>[] {
  const isEmoji = /\p{Emoji_Presentation}|\u{FE0F}/u.test(character)
  const prefer = isEmoji ? 'emoji' : around
  const whole = [...character].map(codePointOf)
  const face = fonts.faceFor(whole, weight, prefer)
  if (face) return [{ face, text: character }]
  // Joiners and selectors are only visible in their effect on others.
  const single = [...character].filter((part) => !/\p{Default_Ignorable_Code_Point}/u.test(part))
  return single.flatMap((part) => {
    const own = fonts.faceFor([codePointOf(part)], weight, prefer)
    return own ? [{ face: own, text: part }] : escaped(part, weight, fonts)
  })
}

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

/** For characters in no font: a code point number is better than a box, which could be anything. */
function escaped(character: string, weight: Weight, fonts: FontSet): Omit<Piece, 'level'>[] {
  const text = `[U+${codePointOf(character).toString(16).toUpperCase().padStart(4, '0')}]`
  const face = fonts.faceFor([...text].map(codePointOf), weight, 'plain')
  return face ? [{ face, text }] : []
}

function merged(pieces: readonly Piece[]): Piece[] {
  const runs: Piece[] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (last?.face === piece.face && last.level === piece.level) last.text += piece.text
    else runs.push({ ...piece })
  }
  return runs
}

/** Rule L2 of Unicode's bidirectional algorithm, for runs. */
function reordered(runs: readonly Piece[]): Piece[] {
  const order = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < order.length; start++) {
      if ((order[start]?.level ?? 0) < level) continue
      let end = start
      while ((order[end + 1]?.level ?? 0) >= level) end += 1
      order.splice(start, end - start + 1, ...order.slice(start, end + 1).toReversed())
      start = end
    }
  }
  return order
}

/** Shaping reverses right-to-left scripts; this reverses the symbols between them and mirrors brackets. */
function turned(text: string): string {
  if (/\p{Script=Arabic}|\p{Script=Hebrew}/u.test(text)) return text
  return charactersOf(text)
    .toReversed()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join('')
}
