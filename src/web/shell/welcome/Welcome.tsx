import { lazy, Suspense, useSyncExternalStore } from 'react'
import { onWelcomeChange, readWelcome } from './welcome.ts'

// Most people see it once, so its code loads separately.
const WelcomeDialog = lazy(async () => ({ default: (await import('./WelcomeDialog.tsx')).WelcomeDialog }))

/** Opens on the first screen of the app a new person sees (SPEC §4). */
export function Welcome() {
  const { step, completed } = useSyncExternalStore(onWelcomeChange, readWelcome)
  if (completed) return null
  return (
    <Suspense>
      <WelcomeDialog step={step} />
    </Suspense>
  )
}
