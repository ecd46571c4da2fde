import { clsx } from 'clsx'
import type { ChangeColor } from '../../core/analytics/change-color.ts'
import type { ChangeWords } from '../lib/alert/describe-change.ts'
import { changeArrows } from './ChangeChip.tsx'

const tones: Record<ChangeColor, string> = { red: 'text-critical', green: 'text-positive', gray: 'text-muted' }

/** A change by arrow, color and text. */
export function ChangeMark({ change: { text, word, direction, color } }: { change: ChangeWords }) {
  const Arrow = changeArrows[direction]
  return (
    <span data-color={color} className={clsx('inline-flex items-center gap-1 font-semibold whitespace-nowrap tabular-nums', tones[color])}>
      <Arrow aria-hidden className="size-3.5" strokeWidth={2.5} />
      <span>
        <span className="sr-only">{word} </span>
        {text}
      </span>
    </span>
  )
}
