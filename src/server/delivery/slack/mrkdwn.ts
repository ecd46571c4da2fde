import { isolated, visible } from '../outbound/names.ts'

// Slack's markup (docs.slack.dev, formatting message text). Style marks can't be escaped, so where they would format a name, a lookalike
// character replaces them.

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const lookalikes: Record<string, string> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' }
/** Marks only count at the edges of words: inside a word they stay. */
const styleMark = /(?<![A-Za-z0-9])[*_~]|[*_~](?![A-Za-z0-9])|`/g
const emojiStart = /:(?=[\w+'-]+:)/g

/** Escaped to at most this many characters as Slack counts them, without splitting an entity. */
export function escaped(text: string, most: number): string {
  let whole = ''
  let beginning = ''
  for (const char of text) {
    whole += entities[char] ?? char
    if (whole.length < most) beginning = whole
    if (whole.length > most) return `${beginning.trimEnd()}…`
  }
  return whole
}

/** User-supplied text that has to stay text: no styles, links, mentions or emoji. */
export function unstyled(text: string, most: number): string {
  const marksReplaced = visible(text).replaceAll(styleMark, (mark) => lookalikes[mark] ?? mark)
  return isolated(escaped(marksReplaced.replaceAll(emojiStart, '∶'), most))
}

/** A page or query unchanged: Slack interprets nothing inside `code`. */
export function code(name: string, most: number): string {
  const text = escaped(visible(name).replaceAll('`', 'ˋ'), most)
  return `\`${text === '' ? '(no name)' : isolated(text)}\``
}

/** One of our links. */
export const link = (url: string, label: string): string => `<${escaped(url.replaceAll('|', '%7C'), Infinity)}|${unstyled(label, 100)}>`

/** A moment in each reader's own time zone. */
export const moment = (at: Date): string =>
  `<!date^${Math.floor(at.getTime() / 1000)}^{date_short} at {time}|${universal.format(at).replace(',', '')} UTC>`

const universal = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
