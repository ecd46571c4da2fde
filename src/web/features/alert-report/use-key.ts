import { useEffect } from 'react'
import { isTyping } from '../../lib/is-typing.ts'

/** Does something when a key is pressed alone, but not while somebody is typing. */
export function useKey(key: string, onPress: () => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return
      if (event.key === key) onPress()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key, onPress])
}
