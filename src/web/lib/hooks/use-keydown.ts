import { useEffectEvent, useLayoutEffect } from 'react'

/** Hears of keys wherever the focus is, from before the screen is painted: whoever sees it can press its keys. */
export function useKeydown(onKeyDown: (event: KeyboardEvent) => void): void {
  const onEvent = useEffectEvent(onKeyDown)
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onEvent(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/**
 * Whether keys belong to what has the focus, so that none of them is a shortcut. What opened a menu has it for a moment
 * longer; a dialog that closes, only until it does.
 */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable], [role=dialog]:not([data-closed]), [role=menu], [role=listbox], [aria-haspopup][aria-expanded=true]',
    ) !== null
  )
}
