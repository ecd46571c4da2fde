import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { listKeys } from '../lib/hooks/shortcut-keys.ts'
import { isTyping, useKeydown } from '../lib/hooks/use-keydown.ts'

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

/**
 * `j` and `k` move the focus through elements marked `data-alert`, onto their `data-alert-link`, which Enter then opens; `e` acts on the
 * focused one.
 */
export function useListKeys(list: RefObject<HTMLElement | null>, onAcknowledge: (id: string) => void): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
    const items = itemsIn(list.current)
    const at = items.findIndex((item) => item.contains(document.activeElement))
    if (event.key === listKeys.next) focusItem(items[Math.min(at + 1, items.length - 1)])
    if (event.key === listKeys.previous) focusItem(items[Math.max(at - 1, 0)])
    const id = items[at]?.dataset['alert']
    if (event.key === listKeys.acknowledge && id !== undefined) onAcknowledge(id)
  })
}

/** The alerts shown by a list: the elements it marks with `data-alert`, in order. */
const itemsIn = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>('[data-alert]') ?? [])]

/** Focuses an alert's link, which Enter then opens. */
function focusItem(item: HTMLElement | undefined): void {
  item?.querySelector<HTMLElement>('[data-alert-link]')?.focus()
}
