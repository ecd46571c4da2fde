import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { isTyping } from '../lib/is-typing.ts'
import { nav } from './nav.ts'

const sequenceMillis = 1000

/** Opens screens by the two keys of nav.ts pressed one after the other, but not while somebody is typing. */
export function useNavKeys(): void {
  const navigate = useNavigate()
  useEffect(() => {
    let first: { key: string; at: number } | null = null
    function onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const before = first !== null && event.timeStamp - first.at < sequenceMillis ? first.key : null
      first = { key: event.key, at: event.timeStamp }
      const item = nav.flatMap((group) => group.items).find(({ keys }) => keys?.[0] === before && keys?.[1] === event.key)
      if (before !== null && item !== undefined) void navigate(item.path)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [navigate])
}
