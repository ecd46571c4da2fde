import type { KeyboardEvent, PointerEvent } from 'react'

type ChartSliderProps = {
  label: string
  /** What is told of the chosen point. */
  valueText: string
  /** The number of the chosen point, the first one being 0, and of the last there is. */
  value: number
  last: number
  /** Where in the chart it lies, in pixels. */
  box: { left: number; top: number; width: number; height: number }
  /** The pointer is at a place, each from 0 to 1, from the left and from the top. */
  onPoint: (x: number, y: number) => void
  /** The keyboard chose a point. */
  onStep: (value: number) => void
  /** The keyboard arrived. */
  onArrive: () => void
  onLeave: () => void
}

/** Lies over what is drawn: the pointer chooses a point by being there, the arrow keys as on a slider; Escape lets go of it. */
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
        // A finger that is lifted has chosen its point.
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
