import { visible } from '../outbound/names.ts'

/** Accents on one letter; more than any language needs would spill over neighboring lines. */
const piledUp = /(\p{M}{4})\p{M}+/gu

/**
 * User-supplied text on one line of at most this many characters: cuts the middle of long text, because its end is what distinguishes it.
 */
export function cutMiddle(text: string, most: number): string {
  const characters = [...visible(text).replace(piledUp, '$1')]
  if (characters.length <= most) return characters.join('')
  const tail = Math.floor((most - 1) / 3)
  const head = characters.slice(0, most - 1 - tail).join('')
  // Never keeps an accent without its letter.
  const end = characters
    .slice(characters.length - tail)
    .join('')
    .replace(/^[\p{M}\u200C\u200D\s]+/u, '')
  return `${head.trimEnd()}…${end}`
}
