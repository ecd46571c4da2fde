/** A part of a text, from its `start` to before its `end`. */
export type Span = { start: number; end: number }

/** The words of a text, without what stands between them. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** Whether a text holds another one, capitals or not. */
export const holds = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.trim().toLowerCase())

/** How well a label fits: 0 when it begins with what is looked for, 1 when one of its words does, 2 when it holds it somewhere. */
type Fit = 0 | 1 | 2

/**
 * How well something with a label fits what is looked for, or null when it does not. Each word has to begin a word of the label
 * or of `others`, by which it is found as well, or else the whole of it has to stand in the label.
 */
export function fitOf(label: string, others: string, wanted: string): Fit | null {
  const text = wanted.trim().toLowerCase()
  if (label.toLowerCase().startsWith(text)) return 0
  const starts = wordsOf(`${label} ${others}`)
  const words = wordsOf(text)
  if (words.length > 0 && words.every((word) => starts.some((start) => start.startsWith(word)))) return 1
  return holds(label, text) ? 2 : null
}

/** Where a text holds what is looked for: the whole of it, or else its words. */
export function spansOf(text: string, wanted: string): Span[] {
  const whole = wanted.trim().toLowerCase()
  if (whole === '') return []
  const lower = text.toLowerCase()
  // Where lower case is longer than what was written, places in one are no places in the other.
  if (lower.length !== text.length) return []
  const found = placesOf(lower, whole)
  return found.length > 0 ? found : merged(wordsOf(whole).flatMap((word) => placesOf(lower, word)))
}

function placesOf(text: string, wanted: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length })
  }
  return spans
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}
