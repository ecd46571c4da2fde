import type { Page } from 'playwright-core'
import { openBench } from '../../emulators/stripe/testing.ts'
import { watch } from './browser-page.ts'
import { chromiumTest } from './chromium-test.ts'
import { type PageConfig, serveStripePage } from './stripe-page.ts'

export { expect } from 'vitest'

/**
 * The Stripe stand-in's browser part, without the product: `till` is the file's own stand-in, `shop` a shop's page with Stripe's form on
 * it, `page` an empty one. A test fails on console errors.
 */
export const test = chromiumTest
  .extend('till', { scope: 'file' }, async ({}, { onCleanup }) => {
    const till = await openBench()
    onCleanup(() => till.close())
    return till
  })
  .extend('shop', { scope: 'file' }, async ({ till }, { onCleanup }) => {
    const shop = await serveStripePage(till.standIn.url)
    onCleanup(() => shop.close())
    return shop
  })
  .extend('page', async ({ chromium, onTestFinished }) => {
    const page = await (await chromium.newContext()).newPage()
    watch(page, onTestFinished)
    return page
  })
  .extend('openForm', ({ till, shop, page }) => async (config: Partial<PageConfig> & { clientSecret: string }): Promise<void> => {
    shop.show({ publishableKey: till.standIn.publishableKey, redirect: 'if_required', ...config })
    await page.goto(shop.url)
  })

/** Where a bank challenges the cardholder. */
export const bankOf = (page: Page) => page.frameLocator('dialog iframe')
