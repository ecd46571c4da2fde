/**
 * How many positions a regular expression (RE2) has once its counted repetitions are written out: `(ab){3}` has six. In the worst case, an
 * engine visits each of them for every character of a text. Any number for an invalid expression.
 */
export function patternSize(pattern: string): number {
  /** Per open group: the size of its content, and of its last piece, which a count would repeat. */
  const open: [Group, ...Group[]] = [{ total: 0, last: 0 }]
  for (const token of pattern.match(tokens) ?? []) {
    const group = open.at(-1) ?? open[0]
    const count = counted.exec(token)
    if (token.startsWith('(?') && token.endsWith(')')) continue
    if (token.startsWith('(')) open.push({ total: 0, last: 0 })
    else if (token === ')' && open.length > 1) {
      open.pop()
      add(open.at(-1) ?? open[0], group.total)
    } else if (count) {
      const times = Math.max(1, Number(count[1]), count[2] === '' ? Number(count[1]) + 1 : Number(count[2] ?? 0))
      group.total += group.last * (times - 1)
      group.last *= times
    } else if (!'*+?|'.includes(token)) {
      // A count repeats only the last character of quoted text; counting all of it errs on the safe side.
      add(group, token.startsWith('\\Q') ? token.length : 1)
    }
  }
  return open.reduce((sum, { total }) => sum + total, 0)
}

type Group = { total: number; last: number }

function add(group: Group, size: number): void {
  group.total += size
  group.last = size
}

/** Quoted text, an escape, a character class, a count, flags, a group's start, or one character. Anything unclosed extends to the end. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*(?:\}|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*(?:\]|$)|\{\d+(?:,\d*)?\}|\(\?[imsU-]+\)|\((?:\?(?:P?<\w+>|[imsU-]*:))?|[\s\S]/gu
const counted = /^\{(\d+)(?:,(\d*))?\}$/
