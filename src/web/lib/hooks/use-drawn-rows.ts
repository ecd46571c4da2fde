import { startTransition, useEffect, useState } from 'react'
import { useNavigationType } from 'react-router'

/**
 * The rows of a list to render now: those on screen first, then all, so that a screen appears at once however long its list. Going back has
 * to restore the scroll position, which takes all of them.
 */
export function useDrawnRows<Row>(rows: readonly Row[], onScreen: number): { drawn: readonly Row[]; isWhole: boolean } {
  const isReturn = useNavigationType() === 'POP'
  const [isAllowed, setAllowed] = useState(isReturn)
  useEffect(() => startTransition(() => setAllowed(true)), [])
  const isWhole = isAllowed || rows.length <= onScreen
  return { drawn: isWhole ? rows : rows.slice(0, onScreen), isWhole }
}
