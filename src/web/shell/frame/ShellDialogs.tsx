import { lazy, Suspense } from 'react'
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
    <Suspense>
      {open === 'palette' && <Palette />}
      {open === 'shortcuts' && <ShortcutsDialog />}
      {open === 'new-alert' && selectedProperty !== null && <NewRuleDialog property={selectedProperty} open onOpenChange={onOpenChange} />}
    </Suspense>
  )
}
