import { lazy, Suspense, useSyncExternalStore } from 'react'
import { onWelcomeChange, readWelcome } from './welcome.ts'

// Most people see it once; its code is no part of the first screen.
const WelcomeDialog = lazy(async () => ({ default: (await import('./WelcomeDialog.tsx')).WelcomeDialog }))

/** For somebody who is here for the first time, on whichever screen of the app that is (SPEC §4). */
export function Welcome() {
  const { step, completed } = useSyncExternalStore(onWelcomeChange, readWelcome)
  if (completed) return null
  return (
    <Suspense>
      <WelcomeDialog step={step} />
    </Suspense>
  )
}
