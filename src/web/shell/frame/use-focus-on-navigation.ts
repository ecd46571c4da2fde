import { useEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { useShellDialogs } from './shell-dialogs.ts'

/** A new screen starts at its beginning for the keyboard and for screen readers, as a new page would. */
export function useFocusOnNavigation(target: RefObject<HTMLElement | null>): void {
  const { pathname, hash } = useLocation()
  const { open } = useShellDialogs()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // What the address names takes the focus itself, and a dialog that was opened while the screen was on its way keeps it.
    if (hash === '' && open === null) target.current?.focus({ preventScroll: true })
  }, [pathname, hash, open, target])
}
