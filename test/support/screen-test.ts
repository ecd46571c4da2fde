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
 * A screen in a real browser, without a product behind it: `desk` answers what it asks, `signIn` says who looks at it
 * (Ann, unless told otherwise), `open` opens an address. Browser and built app are those of the worker. A test fails when the
 * console complains, or when something is asked that it has no answer to.
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
