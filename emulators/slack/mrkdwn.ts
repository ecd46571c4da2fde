/** A piece of text in Slack's markup, parsed as Slack does. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike' | 'quote'; readonly inner: readonly Piece[] }
  | { readonly kind: 'code' | 'pre'; readonly text: string }
  | { readonly kind: 'link'; readonly url: string; readonly text: string }
  /** Mentions that notify people: `<!channel>`, `<@U123>`. */
  | { readonly kind: 'mention'; readonly text: string }
  | { readonly kind: 'break' }

const STYLES = { '*': 'bold', _: 'italic', '~': 'strike' } as const
const WORD = /[\p{L}\p{N}_*~]/u

/** The only three entities that Slack knows. */
export function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Parses Slack's markup (docs.slack.dev, formatting message text). */
export function parseMrkdwn(source: string): Piece[] {
  return source.split(/```([\s\S]+?)```/).flatMap((part, index): Piece[] => {
    if (index % 2 === 1) return [{ kind: 'pre', text: decodeEntities(part.replace(/^\n/, '')) }]
    return part.split('\n').flatMap((line, nth): Piece[] => {
      const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line)?.[1]
      const pieces: Piece[] = quoted === undefined ? parseLine(line) : [{ kind: 'quote', inner: parseLine(quoted) }]
      return nth === 0 ? pieces : [{ kind: 'break' }, ...pieces]
    })
  })
}

function parseLine(line: string): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  const add = (piece: Piece): void => {
    if (plain !== '') pieces.push({ kind: 'text', text: decodeEntities(plain) })
    plain = ''
    pieces.push(piece)
  }
  let at = 0
  while (at < line.length) {
    const found = special(line, at)
    if (found) {
      add(found.piece)
      at = found.end
    } else {
      plain += line[at]
      at += 1
    }
  }
  if (plain !== '') pieces.push({ kind: 'text', text: decodeEntities(plain) })
  return pieces
}

/** The multi-character token at this position. */
function special(line: string, at: number): { piece: Piece; end: number } | undefined {
  const char = line[at] ?? ''
  if (char === '<') {
    const end = line.indexOf('>', at)
    const piece = end > at + 1 ? reference(line.slice(at + 1, end)) : undefined
    return piece && { piece, end: end + 1 }
  }
  if (char === '`') {
    const end = line.indexOf('`', at + 1)
    return end > at + 1 ? { piece: { kind: 'code', text: decodeEntities(line.slice(at + 1, end)) }, end: end + 1 } : undefined
  }
  if (char !== '*' && char !== '_' && char !== '~') return undefined
  const end = closing(line, at, char)
  return end === undefined ? undefined : { piece: { kind: STYLES[char], inner: parseLine(line.slice(at + 1, end)) }, end: end + 1 }
}

/** Where a style that begins here ends: marks count only at word boundaries, and not inside links. */
function closing(line: string, at: number, mark: string): number | undefined {
  const first = line[at + 1] ?? ' '
  if (WORD.test(line[at - 1] ?? ' ') || first === mark || /\s/.test(first)) return undefined
  for (let end = at + 1; end < line.length; end++) {
    if (line[end] === '<') end = Math.max(end, line.indexOf('>', end))
    if (line[end] !== mark) continue
    if (!/\s/.test(line[end - 1] ?? ' ') && !WORD.test(line[end + 1] ?? ' ')) return end
  }
  return undefined
}

/** What is between < and >. */
function reference(inside: string): Piece | undefined {
  const bar = inside.indexOf('|')
  const target = bar < 0 ? inside : inside.slice(0, bar)
  const label = bar < 0 ? undefined : inside.slice(bar + 1)
  const said = label === undefined || label === '' ? undefined : decodeEntities(label)
  if (/^(https?:\/\/|mailto:|tel:)/i.test(target)) {
    const url = decodeEntities(target)
    return { kind: 'link', url, text: said ?? url.replace(/^(mailto|tel):/i, '') }
  }
  if (target.startsWith('!date^')) return { kind: 'text', text: said ?? '' }
  if (/^!(here|channel|everyone|subteam\^)/.test(target)) return { kind: 'mention', text: said ?? `@${target.slice(1)}` }
  if (/^@[UW][A-Z0-9]+$/.test(target)) return { kind: 'mention', text: said === undefined ? target : `@${said}` }
  if (/^#C[A-Z0-9]+$/.test(target)) return { kind: 'text', text: `#${said ?? target.slice(1)}` }
  return undefined
}
