import { useCallback, useMemo } from 'react'
import { readView, type View, type ViewSpec, writeView } from '../../lib/address-view.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'

const asIs = <V>(view: V): V => view

/**
 * The URL's view state, and how to change it. A choice is a step that the back button undoes; typing isn't (`replace`). `fit` replaces
 * choices that don't go together.
 */
export function useView<S extends ViewSpec>(
  spec: S,
  fit: (view: View<S>) => View<S> = asIs,
): [View<S>, (change: Partial<View<S>>, options?: { replace?: boolean }) => void] {
  const [params, changeAddress] = useAddress()
  const view = useMemo(() => fit(readView(spec, params)), [spec, fit, params])
  const show = useCallback(
    (change: Partial<View<S>>, { replace = false } = {}) =>
      changeAddress((before) => writeView(spec, fit({ ...fit(readView(spec, before)), ...change }), before), { replace }),
    [spec, fit, changeAddress],
  )
  return [view, show]
}
