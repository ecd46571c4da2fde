/**
 * How many positions a regular expression (RE2) has once its counted repetitions are written out: `(ab){3}` has six. In the worst case, an
 * engine visits each of them for every character of a text. Any number for an invalid expression.
 */
export const patternSize = (pattern: string): number => sumOf(pattern, sizeOf)

/**
 * How much the engine does at those positions in the worst case, in units of a position that holds one letter: a class is looked up range by
 * range, and groups and repetitions are visited like letters. Rather too large than too small (decision 0102).
 */
export const patternWork = (pattern: string): number => {
  const isFolded = foldingFlag.test(pattern)
  return sumOf(pattern, (token) => workOf(token, isFolded))
}

type Group = { total: number; last: number; own: number }

/** Adds up an expression's tokens as they weigh, as often as they are repeated. */
function sumOf(pattern: string, weigh: (token: string) => number): number {
  /** Per open group: the size of its content, of its last piece, which a count would repeat, and of the group itself. */
  const open: [Group, ...Group[]] = [{ total: 0, last: 0, own: 0 }]
  for (const token of pattern.match(tokens) ?? []) {
    const group = open.at(-1) ?? open[0]
    const count = counted.exec(token)
    if (token.startsWith('(?') && token.endsWith(')')) continue
    if (token.startsWith('(')) open.push({ total: 0, last: 0, own: weigh(token) })
    else if (token === ')' && open.length > 1) {
      open.pop()
      add(open.at(-1) ?? open[0], group.total + group.own)
    } else if (count) {
      const times = Math.max(1, Number(count[1]), count[2] === '' ? Number(count[1]) + 1 : Number(count[2] ?? 0))
      group.total += group.last * (times - 1)
      group.last *= times
    } else if (repeating.includes(token)) {
      group.total += weigh(token)
      group.last += weigh(token)
    } else add(group, weigh(token))
  }
  return open.reduce((sum, { total, own }) => sum + total + own, 0)
}

function add(group: Group, size: number): void {
  group.total += size
  group.last = size
}

/** Quoted text, an escape, a character class, a count, flags, a group's start, or one character. Anything unclosed extends to the end. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*(?:\}|$)|\\[pP][\s\S]|\\x[\da-fA-F]{2}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*(?:\]|$)|\{\d+(?:,\d*)?\}|\(\?[imsU-]+\)|\((?:\?(?:P?<\w+>|[imsU-]*:))?|[\s\S]/gu
const counted = /^\{(\d+)(?:,(\d*))?\}$/
const repeating = '*+?|'
const foldingFlag = /\(\?[a-zA-Z]*i/

function sizeOf(token: string): number {
  if (token.startsWith('(') || repeating.includes(token)) return 0
  // A count repeats only the last character of quoted text; counting all of it errs on the safe side.
  return token.startsWith('\\Q') ? token.length : 1
}

/** The largest class that RE2 knows takes no longer: of its ranges, a character meets those of its first byte, its second and so on. */
const mostOfClass = 40
/** A character beyond ASCII has up to four bytes, each of them a step. */
const ofBytes = 4
/** What a negated class has besides the ranges it leaves out: everything beyond ASCII, by number of bytes. */
const ofRest = 12

function workOf(token: string, isFolded: boolean): number {
  const folds = isFolded ? 2 : 1
  const ofLetter = (letter: string): number => folds * (isAscii(letter) ? 1 : ofBytes)
  if (token.startsWith('(')) return token.endsWith(':') ? 0 : 1
  if (repeating.includes(token)) return 1
  if (token.startsWith('\\Q')) return [...token].reduce((sum, letter) => sum + ofLetter(letter), 0)
  if (token.startsWith('[')) return workOfRanges(folds * rangesOf(token))
  if (token === '.') return workOfRanges(ofRest / 2)
  const escaped = rangesOfEscape(token)
  return escaped > 1 ? workOfRanges(folds * escaped) : ofLetter(token)
}

const isAscii = (letter: string): boolean => (letter.codePointAt(0) ?? 0) < 128
const workOfRanges = (ranges: number): number => Math.min(mostOfClass, 1 + Math.ceil(ranges / 2))

/** Roughly how many ranges an escape stands for. */
function rangesOfEscape(token: string): number {
  if (/^\\[pP]/.test(token)) return 2 * mostOfClass
  if (/^\\[WDS]/.test(token)) return ofRest
  if (token.startsWith('\\x{')) return ofBytes
  return /^\\[wds]/.test(token) ? ofBytes : 1
}

const inClass = /\[:\^?\w+:\]|\\[pPx]\{[^}]*\}|\\[pP][\s\S]|\\[\s\S]|[\s\S]/gu

/** Roughly how many ranges of bytes a character class has. */
function rangesOf(written: string): number {
  const [, not, content = ''] = /^\[(\^?)([\s\S]*?)\]?$/.exec(written) ?? []
  return (content.match(inClass) ?? []).reduce(
    (sum, part) => {
      if (part === '-') return sum
      if (part.startsWith('[:')) return sum + (part.startsWith('[:^') ? ofRest : ofBytes)
      return sum + (isAscii(part) ? rangesOfEscape(part) : ofBytes)
    },
    not === '^' ? ofRest : 0,
  )
}
