import type { KeyboardEvent, PointerEvent } from 'react'

type ChartSliderProps = {
  label: string
  /** The description of the current point. */
  valueText: string
  /** The current point's index, from 0, and the last index. */
  value: number
  last: number
  /** Its place in the chart, in pixels. */
  box: { left: number; top: number; width: number; height: number }
  /** The pointer's place, each from 0 to 1, from the left and from the top. */
  onPoint: (x: number, y: number) => void
  /** The keyboard selected a point. */
  onStep: (value: number) => void
  /** The keyboard focus arrived. */
  onArrive: () => void
  onLeave: () => void
}

/** Covers the drawing: hovering selects a point, and so do arrow keys, as on a slider; Escape clears the selection. */
export function ChartSlider({ label, valueText, value, last, box, onPoint, onStep, onArrive, onLeave }: ChartSliderProps) {
  function onPointer(event: PointerEvent<HTMLDivElement>) {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    onPoint((event.clientX - left) / width, (event.clientY - top) / height)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') onLeave()
  }

  return (
    <div
      role="presentation"
      className="absolute touch-pan-y rounded-sm focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand"
      style={box}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={(event) => {
        // A lifted finger keeps its point selected.
        if (event.pointerType === 'mouse') onLeave()
      }}
    >
      <input
        type="range"
        aria-label={label}
        aria-valuetext={valueText}
        min={0}
        max={last}
        value={value}
        className="pointer-events-none absolute inset-0 size-full opacity-0"
        onChange={(event) => onStep(event.currentTarget.valueAsNumber)}
        onFocus={onArrive}
        onBlur={onLeave}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
