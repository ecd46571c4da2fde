import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * The focus does not go with a chip that leaves the list, whoever took it out and however many leave at once: it goes to the
 * one that stands there now, or to `otherwise` when none is left. Gives the handlers of the list.
 */
export function useChipFocus(list: RefObject<HTMLElement | null>, otherwise: RefObject<HTMLElement | null>) {
  const focused = useRef<{ chip: Element; index: number } | null>(null)
  // Where it goes is known only once the list is drawn without it: the chips beside it may be leaving, too.
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
    // A chip that is taken away does not say that it lost the focus; whoever leaves it does.
    onBlur() {
      focused.current = null
    },
  }
}
