import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** A query parameter that is meant for this visit only: read once, and then gone from the address bar and the history. */
export function usePassingParam(name: string): string | null {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const present = params.get(name)
  const [value, setValue] = useState(present)
  if (present !== null && present !== value) setValue(present)

  useEffect(() => {
    if (present === null) return
    setParams(
      (before) => {
        before.delete(name)
        return before
      },
      { replace: true, state },
    )
  }, [name, present, setParams, state])
  return value
}
