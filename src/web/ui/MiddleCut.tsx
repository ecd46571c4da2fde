const tailLength = 12

/** A name or address on one line: what does not fit is cut out of its middle, because its end tells it from others. */
export function MiddleCut({ text }: { text: string }) {
  const at = Math.max(0, text.length - tailLength)
  return (
    <span className="flex min-w-0 whitespace-pre">
      <span className="truncate">{text.slice(0, at)}</span>
      <span className="shrink-0">{text.slice(at)}</span>
    </span>
  )
}
