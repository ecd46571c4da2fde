import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'

/** Asks before somebody leaves the screen, or the app, with unsaved changes. `unsaved` names them. */
export function LeaveGuard({ unsaved }: { unsaved: () => readonly string[] }) {
  const blocker = useBlocker(
    ({ currentLocation: { pathname }, nextLocation }) =>
      // Somebody who reaches the login has logged out: there is nobody left to save for.
      nextLocation.pathname !== pathname && nextLocation.pathname !== paths.login && unsaved().length > 0,
  )

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved().length > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])

  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => {
        if (!open) blocker.reset?.()
      }}
      title="Leave without saving?"
      description={<span className="wrap-anywhere">Unsaved changes: {unsaved().join(', ')}.</span>}
      confirm="Leave without saving"
      pending={false}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
