import type { RefObject } from 'react'
import { listKeys } from '../lib/hooks/shortcut-keys.ts'
import { isTyping, useKeydown } from '../lib/hooks/use-keydown.ts'
import { focusItem, itemsIn } from './alert-items.ts'

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
