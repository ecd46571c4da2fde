import { test } from 'vitest'
import { launchChromium } from './browser-chromium.ts'

/** Tests that share one Chromium with all other files of their worker. */
export const chromiumTest = test.extend('chromium', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const chromium = await launchChromium()
  onCleanup(() => chromium.close())
  return chromium
})
