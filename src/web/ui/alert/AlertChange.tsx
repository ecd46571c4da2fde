import { clsx } from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import type { Alert } from '../../../contract/alerts.ts'
import { alertChange } from '../../lib/alert-view.ts'
import type { ChangeColour, Direction } from '../../lib/change-colour.ts'
import { useColourBy } from '../../lib/colour-by.ts'

const arrows = { up: ArrowUp, down: ArrowDown, level: ArrowRight } satisfies Record<Direction, unknown>
const tones: Record<ChangeColour, string> = { red: 'text-critical', green: 'text-positive', grey: 'text-muted' }

/** How much the figure of an alert changed, and since when; nothing where that cannot be said (SPEC §9). */
export function AlertChange({ alert }: { alert: Alert }) {
  const change = alertChange(alert, useColourBy())
  if (change === null) return null
  const { text, word, direction, colour, base } = change
  const Arrow = arrows[direction]
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 tabular-nums">
      <span data-colour={colour} className={clsx('inline-flex items-center gap-1 font-semibold whitespace-nowrap', tones[colour])}>
        <Arrow aria-hidden className="size-3.5" strokeWidth={2.5} />
        <span>
          <span className="sr-only">{word} </span>
          {text}
        </span>
      </span>
      {base !== null && <span className="text-muted">{base}</span>}
    </span>
  )
}
