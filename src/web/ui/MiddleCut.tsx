import type { Span } from '../lib/matching.ts'

const tailLength = 12
const nothing: readonly Span[] = []

type MiddleCutProps = {
  text: string
  /** Highlighted parts of it. */
  spans?: readonly Span[]
}

/** A name or URL on one line, truncated in the middle because its end is what distinguishes it. */
export function MiddleCut({ text, spans = nothing }: MiddleCutProps) {
  const at = Math.max(0, text.length - tailLength)
  return (
    <span className="flex min-w-0 whitespace-pre">
      <span className="truncate">
        <Marked text={text} spans={spans} to={at} />
      </span>
      <span className="shrink-0">
        <Marked text={text} spans={spans} from={at} />
      </span>
    </span>
  )
}

type MarkedProps = {
  text: string
  spans: readonly Span[]
  /** Shows only this part of the text; all of it by default. */
  from?: number
  to?: number
}

/** A text with the search text highlighted. */
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
