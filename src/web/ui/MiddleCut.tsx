import type { Span } from '../lib/matching.ts'

const tailLength = 12
const characters = new Intl.Segmenter()
const nothing: readonly Span[] = []

type MiddleCutProps = {
  text: string
  /** Highlighted parts of it. */
  spans?: readonly Span[]
}

/** Scripts written from right to left or with joined letters. */
const inOnePiece = /[\u0590-\u08ff\u1800-\u18af\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Where the part that always stays visible begins: at a separator, else between two whole characters; 0 for a text to show in one piece,
 * because it is short or its halves couldn't be next to each other.
 */
export function tailAt(text: string): number {
  if (text.length <= tailLength || inOnePiece.test(text)) return 0
  const at = text.length - tailLength
  const cut = at + Math.max(0, text.slice(at, -tailLength / 2).search(/[ /_?&-]/))
  return characters.segment(text).containing(cut)?.index ?? cut
}

/** A name or URL on one line, truncated in the middle because its end is what distinguishes it. */
export function MiddleCut({ text, spans = nothing }: MiddleCutProps) {
  const at = tailAt(text)
  return (
    <span className="relative flex min-w-0 whitespace-pre">
      {at === 0 ? (
        <bdi className="truncate">
          <Marked text={text} spans={spans} />
        </bdi>
      ) : (
        <>
          {/* Screen readers would read the halves as two words. */}
          <span className="sr-only select-none">{text}</span>
          <span aria-hidden className="truncate">
            <Marked text={text} spans={spans} to={at} />
          </span>
          <span aria-hidden className="shrink-0">
            <Marked text={text} spans={spans} from={at} />
          </span>
        </>
      )}
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
