import { useCallback } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

type ChangeOptions = {
  /** Takes the place of the entry in the history, so that going back does not lead to it. */
  replace?: boolean
  /** Stays where it is on the screen, as one does who only chose something there. */
  keepsPlace?: boolean
  /** The place in the screen that the address names stays in it. */
  keepsHash?: boolean
  /** What the entry in the history carries along. */
  state?: unknown
  /** Drawn at once; not from within an effect, where React cannot. */
  sync?: boolean
}

/** Makes another query of what the address says by then; may change what it is given. */
export type ChangeAddress = (change: (query: URLSearchParams) => URLSearchParams, options?: ChangeOptions) => void

/**
 * The query of this screen's address, and how to change it. The router would work from the address that was drawn last, and draw the
 * new one when there is time: of two choices made in quick succession, the first would be lost.
 */
export function useAddress(): [URLSearchParams, ChangeAddress] {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const change = useCallback<ChangeAddress>(
    (make, { replace = false, keepsPlace = true, keepsHash = false, state, sync = true } = {}) => {
      const next = make(new URLSearchParams(window.location.search))
      void navigate(`?${next}${keepsHash ? window.location.hash : ''}`, { replace, preventScrollReset: keepsPlace, state, flushSync: sync })
    },
    [navigate],
  )
  return [query, change]
}
