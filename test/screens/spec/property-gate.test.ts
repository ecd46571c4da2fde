// SPEC §2, "Property Required gate": in the place of every screen that is about one property.
import { answerEveryScreen, newcomerOf } from '../../support/answers/shell.ts'
import { expectAddress, expectVisible } from '../../support/browser-expect.ts'
import { expect, test } from '../../support/screen-test.ts'

const gated = ['/keyword-opportunities', '/page-analytics', '/insights', '/alerts', '/alert-settings', '/alert-history']

test('"Select Property" leads to /account, "Go to Settings" to /settings', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(newcomerOf())
  const page = await open('/dashboard')
  for (const address of gated) {
    await page.goto(address)
    const main = page.getByRole('main')
    await expectVisible(main.getByRole('heading', { name: 'Property Required', exact: true }))
    expect(await main.getByRole('link', { name: 'Select Property', exact: true }).getAttribute('href')).toBe('/account')
    expect(await main.getByRole('link', { name: 'Go to Settings', exact: true }).getAttribute('href')).toBe('/settings')
  }
  await page.getByRole('link', { name: 'Select Property', exact: true }).click()
  await expectAddress(page, '/account')
  await page.goBack()
  await page.getByRole('link', { name: 'Go to Settings', exact: true }).click()
  await expectAddress(page, '/settings')
})

test('nothing of it stands before somebody with a property', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/alerts')
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Active Alerts' }))
  expect(await page.getByText('Property Required').count()).toBe(0)
})
