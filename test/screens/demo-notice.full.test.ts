import { answerEveryScreen, demoOf } from '../support/answers/shell.ts'
import { expectCount, expectGone, expectVisible } from '../support/browser-expect.ts'
import { test } from '../support/screen-test.ts'

test('the demo notice stays dismissed for as long as the window is open', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open('/dashboard')
  await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
  await expectGone(page.getByRole('region', { name: 'Demo' }))
  await page.reload()
  await expectVisible(page.getByRole('region', { name: 'Clicks' }))
  await expectCount(page.getByRole('region', { name: 'Demo' }), 0)
})
