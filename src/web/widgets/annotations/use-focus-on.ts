import { useEffect, useRef, type RefObject } from 'react'

/** A ref to what gets the focus each time `turn` changes; null: not now. */
export function useFocusOn<E extends HTMLElement>(turn: number | null): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => {
    if (turn !== null) ref.current?.focus()
  }, [turn])
  return ref
}
