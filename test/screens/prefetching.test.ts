import { answerEveryScreen } from '../support/answers/shell.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'
import { pathOfRequest, visit, visitListening } from '../support/static-pages.ts'

const historyCode = /\/AlertHistoryPage-[^/]*\.js$/

test('the code of other screens is fetched when idle', { tags: ['full'] }, async ({ desk, open }) => {
  answerEveryScreen(desk)
  const { requests } = await visitListening(open, '/account', { prefetches: true, emptyCache: true })
  await expect.poll(() => requests.map(pathOfRequest).filter((path) => historyCode.test(path)), { timeout: 50_000 }).toHaveLength(1)
})

test('even when the screen is displayed before the code that fetches', { tags: ['full'] }, async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await visit(open, '/favicon.svg', { prefetches: true, emptyCache: true })
  const late = Promise.withResolvers<void>()
  await page.route(/\/prefetch-[^/]*\.js$/, async (route) => {
    await late.promise
    await route.continue()
  })
  const fetched = page.waitForRequest((request) => historyCode.test(pathOfRequest(request)), { timeout: 50_000 })
  await page.goto('/account')
  await expectVisible(page.getByRole('heading', { name: 'Account', level: 1 }))
  late.resolve()
  await fetched
})

test("users who save data fetch a screen's code only when they open it", { tags: ['full'] }, async ({ desk, open }) => {
  answerEveryScreen(desk)
  const { page, requests } = await visitListening(open, '/account', { emptyCache: true })
  const fetched = (file: RegExp) => requests.map(pathOfRequest).filter((path) => file.test(path))
  await expectVisible(page.getByRole('heading', { name: 'Account', level: 1 }))
  await page.waitForLoadState('networkidle')
  expect(fetched(historyCode)).toEqual([])
  // The font preloaded before the stylesheet is the one that the stylesheet uses.
  expect(fetched(/\.woff2$/)).toHaveLength(1)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alert History' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Alert History', level: 1 }))
  expect(fetched(historyCode)).toHaveLength(1)
})
