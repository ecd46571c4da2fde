import { answerEveryScreen } from '../support/answers/shell.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const historyCode = /\/AlertHistoryPage-[^/]*\.js$/

test('the code of other screens is fetched while nothing else goes on', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/account', { prefetches: true, emptyCache: true })
  await page.waitForRequest(historyCode)
})

test('people who save data fetch the code of a screen only when they open it', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/account', { emptyCache: true })
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await expectVisible(page.getByRole('heading', { name: 'Account', level: 1 }))
  await page.waitForLoadState('networkidle')
  expect(fetched.filter((url) => historyCode.test(url))).toEqual([])
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alert History' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Alert History', level: 1 }))
  expect(fetched.filter((url) => historyCode.test(url))).toHaveLength(1)
})
