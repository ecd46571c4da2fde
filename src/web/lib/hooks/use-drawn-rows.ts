import { startTransition, useEffect, useState } from 'react'
import { useNavigationType } from 'react-router'

/**
 * The rows of a list to be drawn now: those on screen first, then all, so that a screen is there at once however long
 * its list. Whoever comes back is to find the place where they were, for which all of it has to be there.
 */
export function useDrawnRows<Row>(rows: readonly Row[], onScreen: number): { drawn: readonly Row[]; isWhole: boolean } {
  const isReturn = useNavigationType() === 'POP'
  const [isAllowed, setAllowed] = useState(isReturn)
  useEffect(() => startTransition(() => setAllowed(true)), [])
  const isWhole = isAllowed || rows.length <= onScreen
  return { drawn: isWhole ? rows : rows.slice(0, onScreen), isWhole }
}
