import { isolated, visible } from '../outbound/names.ts'

// Slack's markup (docs.slack.dev, formatting message text). It has no way to escape its style marks, so where a name
// would be formatted, a character that looks the same takes the mark's place.

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const lookalikes: Record<string, string> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' }
/** Marks count at the edges of words only: inside of one they are left as they are. */
const styleMark = /(?<![A-Za-z0-9])[*_~]|[*_~](?![A-Za-z0-9])|`/g
const emojiStart = /:(?=[\w+'-]+:)/g

/** Escaped, at most so many characters as Slack counts them, and no entity cut in two. */
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

/** Somebody else's text that is to stay text: no styles, links, mentions or emoji in it. */
export function plain(text: string, most: number): string {
  const unstyled = visible(text).replaceAll(styleMark, (mark) => lookalikes[mark] ?? mark)
  return isolated(escaped(unstyled.replaceAll(emojiStart, '∶'), most))
}

/** A page or query as it is: Slack reads nothing into `code`. */
export function code(name: string, most: number): string {
  const text = escaped(visible(name).replaceAll('`', 'ˋ'), most)
  return `\`${text === '' ? '(no name)' : isolated(text)}\``
}

/** A link of ours. */
export const link = (url: string, label: string): string => `<${escaped(url.replaceAll('|', '%7C'), Infinity)}|${plain(label, 100)}>`

/** A moment as each reader's own clock shows it. */
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
