import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storedChoice } from './storage.ts'

const key = 'a-key'
const choice = () => storedChoice(key, ['first', 'second'])

/** What browsers have, as far as it matters here. */
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

/** Another window of the same browser chose. */
function chosenElsewhere(name: string | null, value: string): void {
  kept.set(key, value)
  window.dispatchEvent(Object.assign(new Event('storage'), { key: name }))
}

describe('a choice kept in the browser', () => {
  test('is the first one until another is chosen, and again when nonsense is stored', () => {
    expect(choice().read()).toBe('first')
    choice().save('second')
    expect(kept.get(key)).toBe('second')
    expect(choice().read()).toBe('second')
    kept.set(key, 'third')
    expect(choice().read()).toBe('first')
  })

  test('is told to everybody who shows it, until they no longer do', () => {
    const { save, subscribe } = choice()
    const told = vi.fn<() => void>()
    const end = subscribe(told)
    save('second')
    expect(told).toHaveBeenCalledTimes(1)
    end()
    save('first')
    expect(told).toHaveBeenCalledTimes(1)
  })

  test('follows other windows, and only what they chose of this', () => {
    const { read, subscribe } = choice()
    const told = vi.fn<() => void>()
    const end = subscribe(told)
    chosenElsewhere('another-key', 'first')
    expect(told).not.toHaveBeenCalled()
    chosenElsewhere(key, 'second')
    expect(told).toHaveBeenCalledTimes(1)
    expect(read()).toBe('second')
    chosenElsewhere(null, 'first')
    expect(told).toHaveBeenCalledTimes(2)
    end()
    chosenElsewhere(key, 'second')
    expect(told).toHaveBeenCalledTimes(2)
  })

  test('holds for as long as the page is open where storage is forbidden', () => {
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
