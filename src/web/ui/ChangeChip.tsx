import { clsx } from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { changeColour, changeDirection, type ChangeColour, type Direction } from '../lib/change-colour.ts'
import { useColourBy } from '../lib/colour-by.ts'
import { formatChange } from '../lib/format.ts'
import type { MetricName } from '../lib/metric.ts'
import { Tooltip } from './Tooltip.tsx'

const tones: Record<ChangeColour, string> = {
  red: 'bg-critical-soft text-critical',
  green: 'bg-positive-soft text-positive',
  grey: 'bg-sunken text-muted',
}
const arrows = { up: ArrowUp, down: ArrowDown, level: ArrowRight } satisfies Record<Direction, unknown>
const words: Record<Direction, string> = { up: 'Up', down: 'Down', level: 'Unchanged,' }

type ChangeChipProps = { metric: MetricName; percent: number; base: { values: string; periods: string } }

/** How much a figure changed, and on hover, focus or tap what it is counted from. */
export function ChangeChip({ metric, percent, base }: ChangeChipProps) {
  const direction = changeDirection(percent)
  const Arrow = arrows[direction]
  const colour = changeColour(metric, direction, useColourBy())
  return (
    <Tooltip
      content={
        <>
          <span className="inline-block">{base.values},</span> <span className="inline-block">{base.periods}</span>
        </>
      }
    >
      <button
        type="button"
        data-colour={colour}
        aria-label={`${words[direction]} ${formatChange(percent)} vs previous 7 days: ${base.values}, ${base.periods}`}
        className={clsx(
          'relative inline-flex h-6 items-center gap-1 rounded-full px-2 text-xs font-semibold tabular-nums after:absolute after:-inset-2',
          tones[colour],
        )}
      >
        <Arrow aria-hidden className="size-3.5" strokeWidth={2.5} />
        {formatChange(percent)}
      </button>
    </Tooltip>
  )
}
