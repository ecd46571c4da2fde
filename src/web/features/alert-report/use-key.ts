import { isTyping, useKeydown } from '../../lib/hooks/use-keydown.ts'

/** Does something when a key is pressed alone, but not while somebody is typing. */
export function useKey(key: string, onPress: () => void): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return
    if (event.key === key) onPress()
  })
}
