import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { focusItem, itemsIn } from './alert-items.ts'

/**
 * The focus doesn't leave with what is acted on: if the pressed button disappears, it moves to its alert, and if the alert left the list,
 * to the one now in its place, or to the heading if nothing is left. For lists of elements marked `data-alert`, below a heading that takes
 * the focus.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>): void {
  const last = useRef<{ element: Element; id: string | undefined; index: number } | null>(null)
  useEffect(() => {
    function onFocus({ target }: FocusEvent) {
      if (!(target instanceof Element)) return
      const items = itemsIn(list.current)
      const index = items.findIndex((item) => item.contains(target))
      last.current = list.current?.contains(target) ? { element: target, id: items[index]?.dataset['alert'], index } : null
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [list])
  useLayoutEffect(() => {
    const lost = last.current
    if (lost === null || lost.element.isConnected || document.activeElement !== document.body) return
    const items = itemsIn(list.current)
    const item = items.find(({ dataset }) => dataset['alert'] === lost.id) ?? items[Math.min(Math.max(lost.index, 0), items.length - 1)]
    if (item) focusItem(item)
    else list.current?.querySelector<HTMLElement>('h2')?.focus()
  })
}
