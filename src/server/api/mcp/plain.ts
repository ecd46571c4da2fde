/** Turns of direction, and the letters of the block for tags: they are not seen, and could say something else than what is. */
const hidden = /[\p{Cc}\u2028\u2029]+|[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu

/** Somebody else's text in one line, without what cannot be seen. */
const plainText = (text: string): string =>
  text.toWellFormed().replaceAll(hidden, (found) => (/[\p{Cc}\u2028\u2029]/u.test(found) ? ' ' : ''))

/** The same of every text in an answer: queries, addresses, titles and notes are data that anybody may have written. */
export function plain<T>(value: T): T
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map((each: unknown) => plain(each))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

/** Characters that the rows of one list may take, so that a few very long addresses do not fill a conversation. */
const roomOfAList = 24_000

/** As many rows as there is room for, the first ones. */
export function fitting<Row>(rows: readonly Row[], room = roomOfAList): Row[] {
  let taken = 0
  const end = rows.findIndex((row) => (taken += JSON.stringify(row).length) > room)
  return end === -1 ? [...rows] : rows.slice(0, end)
}

const longestName = 160

/** A name within a sentence: quoted, and cut when it is very long. The data beside the text holds it whole. */
export function quoted(name: string): string {
  const letters = Array.from(name)
  return `“${letters.length > longestName ? `${letters.slice(0, longestName).join('')}…` : name}”`
}
