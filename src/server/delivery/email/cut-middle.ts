import { visible } from '../outbound/names.ts'

/** Accents on one letter; more than any language needs would be drawn over the lines around. */
const piledUp = /(\p{M}{4})\p{M}+/gu

/** Somebody else's text on one line of so many characters at most: what is too long loses its middle, because its end tells it from others. */
export function cutMiddle(text: string, most: number): string {
  const characters = [...visible(text).replace(piledUp, '$1')]
  if (characters.length <= most) return characters.join('')
  const tail = Math.floor((most - 1) / 3)
  const head = characters.slice(0, most - 1 - tail).join('')
  // No accent without its letter.
  const end = characters
    .slice(characters.length - tail)
    .join('')
    .replace(/^[\p{M}\u200C\u200D\s]+/u, '')
  return `${head.trimEnd()}…${end}`
}
