import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storedChoice } from './storage.ts'

const key = 'a-key'
const choice = () => storedChoice(key, ['first', 'second'])

/** The parts of a browser that matter here. */
function browserWith(storage: { getItem: (name: string) => string | null; setItem: (name: string, value: string) => void }): EventTarget {
  const window = new EventTarget()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('window', window)
  return window
}

let window: EventTarget
let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  window = browserWith({ getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) })
})
afterEach(() => vi.unstubAllGlobals())

/** Simulates a choice in another window of the same browser. */
function chosenElsewhere(name: string | null, value: string): void {
  kept.set(key, value)
  window.dispatchEvent(Object.assign(new Event('storage'), { key: name }))
}

describe('a choice stored in the browser', () => {
  test('is the default until another is chosen, and again if an invalid value is stored', () => {
    expect(choice().read()).toBe('first')
    choice().save('second')
    expect(kept.get(key)).toBe('second')
    expect(choice().read()).toBe('second')
    kept.set(key, 'third')
    expect(choice().read()).toBe('first')
  })

  test('notifies all subscribers, until they unsubscribe', () => {
    const { save, subscribe } = choice()
    const listener = vi.fn<() => void>()
    const end = subscribe(listener)
    save('second')
    expect(listener).toHaveBeenCalledTimes(1)
    end()
    save('first')
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('follows other windows, and only for this choice', () => {
    const { read, subscribe } = choice()
    const listener = vi.fn<() => void>()
    const end = subscribe(listener)
    chosenElsewhere('another-key', 'first')
    expect(listener).not.toHaveBeenCalled()
    chosenElsewhere(key, 'second')
    expect(listener).toHaveBeenCalledTimes(1)
    expect(read()).toBe('second')
    chosenElsewhere(null, 'first')
    expect(listener).toHaveBeenCalledTimes(2)
    end()
    chosenElsewhere(key, 'second')
    expect(listener).toHaveBeenCalledTimes(2)
  })

  test('lasts as long as the page is open if storage is forbidden', () => {
    const forbidden = () => {
      throw new Error('forbidden')
    }
    browserWith({ getItem: forbidden, setItem: forbidden })
    const { read, save } = choice()
    expect(read()).toBe('first')
    save('second')
    expect(read()).toBe('second')
  })
})
