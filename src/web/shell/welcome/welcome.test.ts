import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const key = 'ranklark_onboarding_completed'

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.resetModules()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** As seen by a freshly loaded page. */
const load = () => import('./welcome.ts')

test('it starts at step 1 while the flag is absent, and not at all once it is set', async () => {
  expect((await load()).readWelcome()).toEqual({ step: 1, completed: false })
  kept.set(key, 'true')
  vi.resetModules()
  expect((await load()).readWelcome().completed).toBe(true)
})

test('next advances through 4 steps and completes on the last; back goes no further than step 1', async () => {
  const welcome = await load()
  const steps = () => welcome.readWelcome().step
  welcome.previousWelcomeStep()
  expect(steps()).toBe(1)
  for (const step of [2, 3, 4]) {
    welcome.nextWelcomeStep()
    expect(steps()).toBe(step)
  }
  welcome.previousWelcomeStep()
  expect(steps()).toBe(3)
  welcome.nextWelcomeStep()
  expect(kept.size).toBe(0)
  welcome.nextWelcomeStep()
  expect(welcome.readWelcome().completed).toBe(true)
  expect([...kept.keys()]).toEqual([key])
})

test('a reset clears the flag, returns to step 1 and shows it again', async () => {
  const welcome = await load()
  const listener = vi.fn<() => void>()
  const stop = welcome.onWelcomeChange(listener)
  welcome.nextWelcomeStep()
  welcome.completeWelcome()
  welcome.resetWelcome()
  expect(welcome.readWelcome()).toEqual({ step: 1, completed: false })
  expect(kept.size).toBe(0)
  expect(listener).toHaveBeenCalledTimes(3)
  stop()
})
