import type { ImportRefusal } from '../refusal.ts'

/** No date, number, search type, device or country is longer, in any language. */
export const maxCell = 200
/** URLs and queries are far shorter; anything longer is a broken line. */
const maxText = 2048
const names: ReadonlySet<string> = new Set(['query', 'page', 'site'])

/**
 * A cell's text, refused if it is too long for what it holds. Comes before anything reads the text: to recognize a date or a word takes
 * hundreds of times as long as to find its end, and a single letter may stand for eighteen.
 */
export function limited(name: string, text: string, bad: (message: string) => ImportRefusal): string {
  const most = names.has(name) ? maxText : maxCell
  if (text.length > most) throw bad(`The ${name} is longer than ${most.toLocaleString('en-US')} characters`)
  return text
}
