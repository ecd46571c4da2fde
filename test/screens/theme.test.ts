import type { Page } from 'playwright-core'
import { answerEveryScreen, demoOf } from '../support/answers/shell.ts'
import { expect, test } from '../support/screen-test.ts'

const classOf = (page: Page) => page.evaluate(() => document.documentElement.classList.value)

test('light is the default, a choice persists, and applies before anything is painted', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open('/dashboard', { systemTheme: 'dark' })
  await expect.poll(() => classOf(page)).toBe('light')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(() => classOf(page)).toBe('dark')
  expect(await page.evaluate(() => localStorage.getItem('ranklark-ui-theme'))).toBe('dark')

  // The root's class when the body is created; nothing is painted before that.
  const atFirst = await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (!document.body) return
      observer.disconnect()
      Object.assign(globalThis, { classAtFirst: document.documentElement.classList.value })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'classAtFirst'))).toBe('dark')
  await atFirst.dispose()
  await page.goto('/login')
  expect(await classOf(page)).toBe('dark')
})

test('system follows the operating system, even while the page is open', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open('/dashboard', { systemTheme: 'dark' })
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  await expect.poll(() => classOf(page)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => classOf(page)).toBe('light')
  expect(await page.evaluate(() => localStorage.getItem('ranklark-ui-theme'))).toBe('system')
})
