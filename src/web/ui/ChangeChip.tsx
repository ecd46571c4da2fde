import { clsx } from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import type { ChangeColor, Direction } from '../../core/analytics/change-color.ts'
import { describeChange } from '../lib/alert/describe-change.ts'
import { useColorBy } from '../lib/color-by.ts'
import { formatChange } from '../lib/format.ts'
import type { MetricName } from '../lib/metric.ts'
import { Tooltip } from './overlay/Tooltip.tsx'

const tones: Record<ChangeColor, string> = {
  red: 'bg-critical-soft text-critical',
  green: 'bg-positive-soft text-positive',
  gray: 'bg-sunken text-muted',
}

export const changeArrows = { up: ArrowUp, down: ArrowDown, level: ArrowRight } satisfies Record<Direction, unknown>

type ChangeChipProps = {
  metric: MetricName
  /** Percent, or places for a position with a base. */
  change: number
  /** What it is compared with; null if unknown. */
  base: { values: string; periods: string } | null
  /** The name of that: `previous 7 days`. */
  versus: string
}

/** A figure's change; shows the comparison on hover, focus or tap. */
export function ChangeChip({ metric, change, base, versus }: ChangeChipProps) {
  const { word, text, direction, color } = describeChange(metric, change, useColorBy())
  const isPlaces = metric === 'position' && base !== null
  const Arrow = changeArrows[direction]
  return (
    <Tooltip
      content={
        base === null ? (
          `vs ${versus}`
        ) : (
          <>
            <span className="inline-block">{base.values},</span> <span className="inline-block">{base.periods}</span>
          </>
        )
      }
    >
      <button
        type="button"
        data-color={color}
        aria-label={`${word} ${isPlaces ? text : formatChange(change)} vs ${versus}${base === null ? '' : `: ${base.values}, ${base.periods}`}`}
        className={clsx(
          'relative inline-flex h-6 items-center gap-1 rounded-full px-2 text-xs font-semibold tabular-nums after:absolute after:-inset-2',
          tones[color],
        )}
      >
        <Arrow aria-hidden className="size-3.5" strokeWidth={2.5} />
        {isPlaces ? Math.abs(change).toFixed(1) : formatChange(change)}
      </button>
    </Tooltip>
  )
}
