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
