import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

const param = 'rule'

/** The rule that is open, which the address says: a link can lead to it, and going back closes it. */
export function useOpenRule() {
  const [params, setParams] = useSearchParams()
  const open = useCallback((id: string) => setParams((before) => withRule(before, id), { preventScrollReset: true }), [setParams])
  const close = useCallback(
    () => setParams((before) => withRule(before, null), { replace: true, preventScrollReset: true }),
    [setParams],
  )
  return { id: params.get(param), open, close }
}
export type OpenRule = ReturnType<typeof useOpenRule>

function withRule(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (id === null) next.delete(param)
  else next.set(param, id)
  return next
}
