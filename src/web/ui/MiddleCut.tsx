import type { Span } from '../lib/matching.ts'
import { Marked } from './Marked.tsx'

const tailLength = 12
const nothing: readonly Span[] = []

type MiddleCutProps = {
  text: string
  /** What stands out in it. */
  spans?: readonly Span[]
}

/** A name or address on one line: what does not fit is cut out of its middle, because its end tells it from others. */
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
