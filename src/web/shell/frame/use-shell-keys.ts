import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { isTyping } from '../../lib/hooks/is-typing.ts'
import { shellKeys } from '../../lib/hooks/shortcut-keys.ts'
import { useKeydown } from '../../lib/hooks/use-keydown.ts'
import { keepsKeys } from '../../ui/overlay/keeps-keys.ts'
import { nav } from './nav.ts'
import { useShellDialogs } from './shell-dialogs.ts'

const sequenceMillis = 1000
const screens = nav.flatMap((group) => group.items)

/**
 * Opens screens by the two keys of nav.ts pressed one after the other, and search and help by theirs, but not while
 * somebody is typing. Search also opens from within a field, by a key that types nothing.
 */
export function useShellKeys(): void {
  const navigate = useNavigate()
  const { open, show, close } = useShellDialogs()
  const first = useRef<{ key: string; at: number } | null>(null)

  function onCommand(event: KeyboardEvent) {
    if (event.key.toLowerCase() !== shellKeys.palette || event.altKey || event.shiftKey) return
    if (open === 'palette') {
      event.preventDefault()
      close()
    } else if (!keepsKeys(event.target)) {
      event.preventDefault()
      show('palette')
    }
  }

  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey) return onCommand(event)
    if (event.altKey || event.defaultPrevented || isTyping(event.target)) return
    const before = first.current !== null && event.timeStamp - first.current.at < sequenceMillis ? first.current.key : null
    first.current = { key: event.key, at: event.timeStamp }
    const screen = screens.find(({ keys }) => keys?.[0] === before && keys?.[1] === event.key)
    if (before !== null && screen !== undefined) void navigate(screen.path)
    else if (event.key === shellKeys.search) {
      // Or else it would be typed into the field that has just appeared.
      event.preventDefault()
      show('palette')
    } else if (event.key === shellKeys.help) show('shortcuts')
  })
}
