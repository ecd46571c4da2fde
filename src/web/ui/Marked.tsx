import type { Span } from '../lib/matching.ts'

type MarkedProps = {
  text: string
  spans: readonly Span[]
  /** Shows only this part of the text; all of it by default. */
  from?: number
  to?: number
}

/** A text in which what somebody looked for stands out. */
export function Marked({ text, spans, from = 0, to = text.length }: MarkedProps) {
  const parts: { text: string; found: boolean; at: number }[] = []
  let at = from
  const add = (end: number, found: boolean) => {
    if (end > at) parts.push({ text: text.slice(at, end), found, at })
    at = Math.max(at, end)
  }
  for (const { start, end } of spans) {
    add(Math.min(start, to), false)
    if (end > at && start < to) add(Math.min(end, to), true)
  }
  add(to, false)
  return parts.map((part) =>
    part.found ? (
      <mark key={part.at} className="bg-transparent font-semibold text-brand underline decoration-1 underline-offset-2">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}
