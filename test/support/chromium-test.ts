import { test } from 'vitest'
import { launchChromium } from './browser-chromium.ts'
import { createPagePool } from './page-pool.ts'

/** Vitest gives each `test.extend` its own fixtures per worker; the expensive ones are shared by all. */
export function once<Args extends unknown[], T>(make: (...args: Args) => T): (...args: Args) => T {
  let made: { value: T } | undefined
  return (...args) => (made ??= { value: make(...args) }).value
}

/** A test's screen is used for a second or two: optimizing its code for longer use costs more than it saves. */
const unoptimized = '--js-flags=--no-opt,--no-maglev'

const chromiumOfWorker = once(() => launchChromium([unoptimized]))
const pagesOfWorker = once(createPagePool)

/** Tests that share one Chromium with all other files of their worker, and its pages if they like. */
export const chromiumTest = test
  .extend('chromium', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const chromium = await chromiumOfWorker()
    onCleanup(() => chromium.close())
    return chromium
  })
  .extend('pages', { scope: 'worker' }, ({ chromium }) => pagesOfWorker(chromium))
