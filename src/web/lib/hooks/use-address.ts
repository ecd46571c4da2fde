import { useCallback } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

type ChangeOptions = {
  /** Replaces the history entry, so that going back doesn't lead to it. */
  replace?: boolean
  /** Keeps the scroll position, for choices within the screen. */
  keepsPlace?: boolean
  /** Keeps the URL's hash. */
  keepsHash?: boolean
  /** Data for the history entry. */
  state?: unknown
  /** Renders at once; not from within an effect, where React can't. */
  sync?: boolean
}

/** Turns the URL's current query into another; may modify its argument. */
export type ChangeAddress = (change: (query: URLSearchParams) => URLSearchParams, options?: ChangeOptions) => void

/**
 * The query of this screen's URL, and how to change it. The router would start from the last rendered URL, and render the new one when
 * there is time: of two choices in quick succession, the first would be lost.
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
