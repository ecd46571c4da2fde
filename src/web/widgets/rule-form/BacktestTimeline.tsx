import { clsx } from 'clsx'
import { useState, type PointerEvent } from 'react'
import { formatDay } from '../../lib/dates.ts'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import { happened, someOf, type Backtested } from './copy.ts'
import { nearestMark, type BacktestMark, backtestMarksOf } from './backtest-marks.ts'

/** Names of a day shown next to its mark; the table has all of them. */
const mostNames = 3

/** The evaluated days, with a mark for each on which alerts would have been opened. */
export function BacktestTimeline({ backtested }: { backtested: Backtested }) {
  const [active, setActive] = useState<number | null>(null)
  const marks = backtestMarksOf(backtested)
  const last = marks.length - 1
  const index = Math.min(active ?? last, last)
  const mark = marks[index]

  function onPointer(event: PointerEvent<HTMLDivElement>): void {
    const box = event.currentTarget.getBoundingClientRect()
    setActive(nearestMark(marks, (event.clientX - box.left) / box.width))
  }

  return (
    <div>
      <div
        role="presentation"
        className="relative h-8 touch-pan-y border-b border-line-control focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand"
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setActive(null)}
      >
        {marks.map((each) => (
          <div
            key={each.date}
            aria-hidden
            className={clsx(
              'absolute bottom-0 w-0.75 -translate-x-1/2 rounded-t-full',
              each === mark && active !== null ? 'bg-text' : each.alerts > 0 ? 'bg-brand' : 'bg-line-control',
            )}
            style={{ left: `${each.x * 100}%`, height: `${each.height * 100}%` }}
          />
        ))}
        {mark !== undefined && active !== null && <DayResult mark={mark} />}
        {mark !== undefined && (
          <input
            type="range"
            aria-label="Days with alerts"
            aria-valuetext={spoken(mark)}
            min={0}
            max={last}
            value={index}
            className="pointer-events-none absolute inset-0 opacity-0"
            onChange={(event) => setActive(event.currentTarget.valueAsNumber)}
            onFocus={() => setActive(last)}
            onBlur={() => setActive(null)}
          />
        )}
      </div>
      <div aria-hidden className="mt-1 flex h-4 justify-between text-xs text-muted tabular-nums">
        <span>{formatDay(backtested.from, true)}</span>
        {backtested.through !== backtested.from && <span>{formatDay(backtested.through, true)}</span>}
      </div>
    </div>
  )
}

function spoken({ date, alerts, silenced, entities }: BacktestMark): string {
  const { names, more } = someOf(entities, mostNames, alerts + silenced)
  return `${formatDay(date, true)}: ${happened({ alerts, silenced })}, ${[...names, ...(more === null ? [] : [more])].join(', ')}`
}

function DayResult({ mark: { x, date, alerts, silenced, entities } }: { mark: BacktestMark }) {
  const { names, more } = someOf(entities, mostNames, alerts + silenced)
  return (
    <div
      aria-hidden
      // Follows the mark while staying within the timeline.
      className="pointer-events-none absolute bottom-full z-10 mb-1 w-max max-w-full rounded-md bg-text px-2 py-1 text-xs text-page tabular-nums shadow-float"
      style={{ left: `${x * 100}%`, translate: `${-x * 100}% 0` }}
    >
      <div>
        {formatDay(date, true)}: <span className="font-semibold">{happened({ alerts, silenced })}</span>
      </div>
      {names.map((name) => (
        <div key={name} className="max-w-72">
          <MiddleCut text={name} />
        </div>
      ))}
      {more !== null && <div>{more}</div>}
    </div>
  )
}
