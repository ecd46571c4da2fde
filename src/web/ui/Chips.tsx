import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type FocusEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { iconButtonClass } from './Button.tsx'

type ChipsProps = {
  /** What the list is called. */
  label: string
  chips: readonly string[]
  onRemove: (chip: string) => void
  /** Gets the focus when no chip is left. */
  input: RefObject<HTMLElement | null>
  /** Nobody has confirmed them. */
  suggested?: boolean
  /** Stands in for an empty list. */
  empty?: ReactNode
  className?: string
}

/** What somebody entered word by word, each with a button to remove it. */
export function Chips({ label, chips, onRemove, input, suggested = false, empty = null, className }: ChipsProps) {
  const list = useRef<HTMLUListElement>(null)
  const focus = useChipFocus(list, input)
  if (chips.length === 0) return empty
  return (
    <ul ref={list} aria-label={label} className={clsx('flex flex-wrap gap-2', className)} {...focus}>
      {chips.map((chip) => (
        <Chip key={chip} text={chip} suggested={suggested} onRemove={() => onRemove(chip)} />
      ))}
    </ul>
  )
}

type ChipProps = { text: string; suggested: boolean; onRemove: () => void }

function Chip({ text, suggested, onRemove }: ChipProps) {
  const look = suggested ? 'border-dashed border-line-control' : 'border-line bg-sunken'
  return (
    <li className={`inline-flex max-w-full items-center rounded-full border pl-3.5 ${look}`}>
      <bdi className="min-w-0 wrap-anywhere">{text}</bdi>
      {suggested && <span className="sr-only">, suggested</span>}
      <button
        type="button"
        aria-label={`Remove ${text}`}
        title={`Remove ${text}`}
        className={iconButtonClass('rounded-full! text-muted!')}
        onClick={onRemove}
      >
        <X aria-hidden />
      </button>
    </li>
  )
}

/**
 * The focus must not disappear with a chip, whoever removed it and however many disappear at once: it moves to the chip now in its place,
 * or to `otherwise` if none is left. Returns the list's event handlers.
 */
function useChipFocus(list: RefObject<HTMLElement | null>, otherwise: RefObject<HTMLElement | null>) {
  const focused = useRef<{ chip: Element; index: number } | null>(null)
  // The target is known only once the list has rendered without it: its neighbors may disappear too.
  useLayoutEffect(() => {
    if (focused.current === null) return
    const { chip, index } = focused.current
    const chips = [...(list.current?.children ?? [])]
    if (chips.includes(chip)) {
      focused.current = { chip, index: chips.indexOf(chip) }
      return
    }
    focused.current = null
    const next = chips[Math.min(index, chips.length - 1)]
    ;(next?.querySelector('button') ?? otherwise.current)?.focus()
  })
  return {
    onFocus({ target }: FocusEvent) {
      const chips = [...(list.current?.children ?? [])]
      const index = chips.findIndex((chip) => chip.contains(target))
      const chip = chips[index]
      focused.current = chip === undefined ? null : { chip, index }
    },
    // A removed chip fires no blur event; leaving one does.
    onBlur() {
      focused.current = null
    },
  }
}
