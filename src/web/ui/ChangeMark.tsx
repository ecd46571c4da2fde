import { clsx } from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import type { ChangeColour, Direction } from '../lib/change-colour.ts'
import type { ChangeWords } from '../lib/describe-change.ts'

const arrows = { up: ArrowUp, down: ArrowDown, level: ArrowRight } satisfies Record<Direction, unknown>
const tones: Record<ChangeColour, string> = { red: 'text-critical', green: 'text-positive', grey: 'text-muted' }

/** A change by arrow, colour and text. */
export function ChangeMark({ change: { text, word, direction, colour } }: { change: ChangeWords }) {
  const Arrow = arrows[direction]
  return (
    <span
      data-colour={colour}
      className={clsx('inline-flex items-center gap-1 font-semibold whitespace-nowrap tabular-nums', tones[colour])}
    >
      <Arrow aria-hidden className="size-3.5" strokeWidth={2.5} />
      <span>
        <span className="sr-only">{word} </span>
        {text}
      </span>
    </span>
  )
}
