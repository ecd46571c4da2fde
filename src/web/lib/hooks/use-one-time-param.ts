import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useAddress } from './use-address.ts'

/** A query parameter for this visit only: read once, then removed from the address bar and the history. */
export function useOneTimeParam(name: string): string | null {
  const [params, change] = useAddress()
  const { state } = useLocation()
  const present = params.get(name)
  const [value, setValue] = useState(present)
  if (present !== null && present !== value) setValue(present)

  useEffect(() => {
    if (present === null) return
    change(
      (before) => {
        before.delete(name)
        return before
      },
      { replace: true, keepsPlace: false, state, sync: false },
    )
  }, [name, present, change, state])
  return value
}
