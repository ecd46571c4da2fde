import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

// The welcome dialog (SPEC §4): shown until seen or skipped once in this browser.

export const welcomeSteps = 4

/** `step` counts from 1. */
export type WelcomeProgress = { step: number; completed: boolean }

const key = 'ranklark_onboarding_completed'
const listeners = new Set<() => void>()
let current: WelcomeProgress | null = null

/** The visible state; the same object until something changes. */
export function readWelcome(): WelcomeProgress {
  current ??= { step: 1, completed: readStored(() => localStorage, key) !== null }
  return current
}

export function onWelcomeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** On the last step, next completes the dialog. */
export function nextWelcomeStep(): void {
  const { step } = readWelcome()
  if (step < welcomeSteps) show({ step: step + 1, completed: false })
  else completeWelcome()
}

export function previousWelcomeStep(): void {
  const { step } = readWelcome()
  if (step > 1) show({ step: step - 1, completed: false })
}

/** Also used for skipping and closing. */
export function completeWelcome(): void {
  writeStored(() => localStorage, key, 'true')
  show({ ...readWelcome(), completed: true })
}

/** Starts over. */
export function resetWelcome(): void {
  removeStored(() => localStorage, key)
  show({ step: 1, completed: false })
}

function show(next: WelcomeProgress): void {
  current = next
  for (const listener of listeners) listener()
}
