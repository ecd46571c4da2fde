import { encode } from 'uqr'
import { matrixPath } from './matrix-path.ts'

/** Drawn as elements, since the content security policy allows no made-up images. Always dark on light, or cameras fail. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-control"
    >
      <rect width={size} height={size} className="fill-on-ink" />
      <path d={matrixPath(data)} className="fill-ink" />
    </svg>
  )
}
