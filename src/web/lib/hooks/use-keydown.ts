import { useEffectEvent, useLayoutEffect } from 'react'

/** Handles keys wherever the focus is, from before the first paint: whoever sees the screen can use its keys. */
export function useKeydown(onKeyDown: (event: KeyboardEvent) => void): void {
  const onEvent = useEffectEvent(onKeyDown)
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onEvent(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/**
 * Whether keys belong to the focused element, so that none is a shortcut. A menu's trigger keeps them for a moment longer; a closing
 * dialog, only until it closes.
 */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable], [role=dialog]:not([data-closed]), [role=menu], [role=listbox], [aria-haspopup][aria-expanded=true]',
    ) !== null
  )
}
