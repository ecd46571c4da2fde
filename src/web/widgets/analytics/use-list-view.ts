import { useCallback } from 'react'
import { changeSorts } from '../../../contract/analytics.ts'
import type { View, ViewSpec } from '../../lib/address-view.ts'
import { useView } from './use-view.ts'

type Ordered = { compare: string; sort: string; order: string }
type ListSpec = ViewSpec & Readonly<Record<keyof Ordered, ViewSpec[string]>>

/** The order of whatever list a screen has, for controls of its days. */
export const anyOrder = { sort: 'text', order: 'text' } as const

/** `usual` instead of an order by change when nothing is compared: no column shows it. */
export const comparableOrder = <V extends Ordered>(view: V, usual: Pick<V, 'sort' | 'order'>): V =>
  view.compare === 'none' && changeSorts.some((sort) => sort === view.sort) ? { ...view, ...usual } : view

/** `useView` of a list that may be sorted by change. */
export function useListView<S extends ListSpec>(spec: S) {
  const fit = useCallback(
    (view: View<S>) => {
      const usual = (kind: ViewSpec[string]): string => (kind === 'text' ? '' : kind[0])
      return comparableOrder(view as View<S> & Ordered, { sort: usual(spec.sort), order: usual(spec.order) } as View<S> & Ordered)
    },
    [spec],
  )
  return useView<S>(spec, fit)
}
