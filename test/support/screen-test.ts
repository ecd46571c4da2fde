import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { User } from '../../src/contract/user.ts'
import { now, signIn as signInAt, userOf } from './answers/usual.ts'
import { type VisitOptions, watch } from './browser-page.ts'
import { chromiumTest, once } from './chromium-test.ts'
import { startStage } from './stage.ts'

export { describe, expect } from 'vitest'

const stageOfWorker = once(startStage)

/**
 * A screen in a real browser, without a product behind it: `desk` answers its requests, `signIn` sets its user (Ann, unless specified
 * otherwise), `open` opens a URL. The worker provides the browser and the built app. A test fails on console errors, or on a request that
 * it has no answer to.
 */
export const test = chromiumTest
  .extend('stage', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const stage = await stageOfWorker()
    onCleanup(() => stage.close())
    return stage
  })
  .extend('desk', ({ stage }) => stage.reset())
  .extend(
    'signIn',
    ({ desk }) =>
      (change: Partial<User> | null) =>
        signInAt(desk, change === null ? null : userOf(change)),
  )
  .extend('open', ({ pages, stage, desk, onTestFinished }) => {
    void desk
    return async (address: string, options: VisitOptions = {}): Promise<Page> => {
      const page = await pages.take({ url: stage.url, now, cookies: stage.cookies }, options)
      onTestFinished(() => expect(stage.unanswered).toEqual([]))
      watch(page, onTestFinished, (finished) => pages.giveBack(finished))
      await page.goto(address, { waitUntil: 'commit' })
      return page
    }
  })
