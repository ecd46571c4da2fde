import { lazy, Suspense, useEffect } from 'react'
import { useCurrentUser } from '../current-user.ts'
import { useShellDialogs } from './shell-dialogs.ts'

export const loadPalette = () => import('../palette/Palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))
const NewRuleDialog = lazy(async () => ({ default: (await import('../../widgets/NewRuleDialog.tsx')).NewRuleDialog }))

/** The open dialog; its code loads when one is first opened. */
export function ShellDialogs() {
  const { open, close } = useShellDialogs()
  const { selectedProperty } = useCurrentUser()
  const onOpenChange = (next: boolean) => {
    if (!next) close()
  }
  return (
    <Suspense fallback={open === 'palette' && <TypedAhead />}>
      {open === 'palette' && <Palette />}
      {open === 'shortcuts' && <ShortcutsDialog />}
      {open === 'new-alert' && selectedProperty !== null && <NewRuleDialog property={selectedProperty} open onOpenChange={onOpenChange} />}
    </Suspense>
  )
}

/** Keeps what is typed until the palette's code has loaded, for which nobody waits after pressing its key. */
function TypedAhead() {
  const { text, setText } = useShellDialogs()
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      // The header's field keeps its own.
      if (event.target instanceof HTMLInputElement && event.target.type === 'search') return
      if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return
      // Otherwise two of them could be a screen's shortcut.
      event.stopPropagation()
      event.preventDefault()
      setText(text + event.key)
    }
    addEventListener('keydown', keep, true)
    return () => removeEventListener('keydown', keep, true)
  }, [text, setText])
  return null
}
