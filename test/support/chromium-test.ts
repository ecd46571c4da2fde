import { test } from 'vitest'
import { launchChromium } from './browser-chromium.ts'
import { createPagePool } from './page-pool.ts'

/** Tests that share one Chromium with all other files of their worker, and the pages in it if they like. */
export const chromiumTest = test
  .extend('chromium', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const chromium = await launchChromium()
    onCleanup(() => chromium.close())
    return chromium
  })
  .extend('pages', { scope: 'worker' }, ({ chromium }) => createPagePool(chromium))
