/** A part of a text, from its `start` up to its `end`, exclusive. */
export type Span = { start: number; end: number }

/** A text's words, without anything between them. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** Whether a text contains another, ignoring case. */
export const holds = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.trim().toLowerCase())

/** How well a label matches: 0 if it starts with the search text, 1 if one of its words does, 2 if it contains it anywhere. */
type Fit = 0 | 1 | 2

/**
 * How well an entry with a label matches the search text, or null if it doesn't. Each word has to start a word of the label or of `others`,
 * its further search words, or else the label has to contain the whole text.
 */
export function fitOf(label: string, others: string, wanted: string): Fit | null {
  const text = wanted.trim().toLowerCase()
  if (label.toLowerCase().startsWith(text)) return 0
  const starts = wordsOf(`${label} ${others}`)
  const words = wordsOf(text)
  if (words.length > 0 && words.every((word) => starts.some((start) => start.startsWith(word)))) return 1
  return holds(label, text) ? 2 : null
}

/** Where a text contains the search text: all of it, or else its words. */
export function spansOf(text: string, wanted: string): Span[] {
  const whole = wanted.trim().toLowerCase()
  if (whole === '') return []
  const lower = text.toLowerCase()
  // If lowercasing changes the length, positions in one don't apply to the other.
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
