import { propertyName as calledBy } from '../../../core/accounts/property-name.ts'

/** Characters that are invisible, or that change the direction of what follows; all but those that select an emoji's form. */
const unseen = /(?![\uFE00-\uFE0F])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** Joins or separates letters as some scripts require, and joins the parts of an emoji. */
const joiner = /[\u200C\u200D]/
const writtenWithJoiners = /[^\p{ASCII}\p{Z}\p{Cf}]/u

/** User-supplied text as one line without invisible characters: names that look the same are the same. */
export const visible = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(unseen, (char, at: number, whole: string) => (joiner.test(char) && isJoining(whole, at) ? char : ''))
    .trim()

function isJoining(whole: string, at: number): boolean {
  const before = Array.from(whole.slice(Math.max(0, at - 2), at)).at(-1) ?? ''
  const [after = ''] = whole.slice(at + 1, at + 3)
  return writtenWithJoiners.test(before) && writtenWithJoiners.test(after)
}

/** Limits text to this many characters, ending in an ellipsis if anything was cut. */
export function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Isolates right-to-left text: otherwise the figures after it would trade places with it. */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** A property as people call it, without invisible characters. */
export const propertyName = (name: string): string => calledBy(visible(name))
