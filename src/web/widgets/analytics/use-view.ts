import { useCallback, useMemo } from 'react'
import { readView, type View, type ViewSpec, writeView } from '../../lib/address-view.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'

/** The URL's view state, and how to change it. A choice is a step that the back button undoes; typing isn't (`replace`). */
export function useView<S extends ViewSpec>(spec: S): [View<S>, (change: Partial<View<S>>, options?: { replace?: boolean }) => void] {
  const [params, changeAddress] = useAddress()
  const view = useMemo(() => readView(spec, params), [spec, params])
  const show = useCallback(
    (change: Partial<View<S>>, { replace = false } = {}) =>
      changeAddress((before) => writeView(spec, { ...readView(spec, before), ...change }, before), { replace }),
    [spec, changeAddress],
  )
  return [view, show]
}
