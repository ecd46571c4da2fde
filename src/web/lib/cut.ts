/** Most characters of a name beside a chart (SPEC §9); all of it is told on hover and focus. */
export const pageLabelLength = 30
export const keywordLabelLength = 20

/** A text of at most so many characters, and '...' where more were cut off. */
export function cutAfter(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most).join('')}...` : text
}
