import { clsx } from 'clsx'
import { useState } from 'react'
import type { ChartMark } from './chart-series.ts'
import { markText } from './copy.ts'
import { chartTipClass } from '../chart-tip.ts'
import { type Frame, groupMarks } from './geometry.ts'

/** A finger's width; marks closer together are merged. */
const size = 40

type ChartMarksProps = { frame: Frame; y: number; marks: readonly ChartMark[] }

/** Events on the time axis: each opens on hover, focus and tap; Escape closes it. */
export function ChartMarks({ frame, y, marks }: ChartMarksProps) {
  const [open, setOpen] = useState<number | null>(null)
  return groupMarks(frame, marks, size).map(({ x, marks: group }, index) => {
    const [first] = group
    if (first === undefined) return null
    const texts = group.map(markText)
    return (
      <div key={`${first.date} ${first.label}`}>
        <button
          type="button"
          aria-label={texts.join('; ')}
          className="absolute grid -translate-1/2 place-items-center rounded-full text-muted hover:text-text"
          style={{ left: x, top: y, width: size, height: size }}
          onPointerEnter={(event) => {
            if (event.pointerType === 'mouse') setOpen(index)
          }}
          onPointerLeave={(event) => {
            if (event.pointerType === 'mouse') setOpen(null)
          }}
          onFocus={() => setOpen(index)}
          onClick={() => setOpen(index)}
          onBlur={() => setOpen(null)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(null)
          }}
        >
          <span className="grid h-6 min-w-6 place-items-center rounded-full border border-line-control bg-surface px-1 text-xs font-semibold">
            {group.length === 1 ? <first.Icon aria-hidden className="size-3.5" /> : group.length}
          </span>
        </button>
        {open === index && (
          <div
            role="tooltip"
            className={clsx('pointer-events-none absolute z-10 w-max max-w-60', chartTipClass)}
            style={{ left: x, top: y - size / 2, translate: `${-100 * shareOf(frame, x)}% -100%` }}
          >
            {texts.map((text) => (
              <div key={text} className="wrap-anywhere">
                {text}
              </div>
            ))}
          </div>
        )}
      </div>
    )
  })
}

/** How far to the right a place is: its tooltip moves along while staying within the chart. */
const shareOf = ({ left, width }: Frame, x: number): number => (x - left) / width
