import type { Page } from 'playwright-core'
import { firstRules, keepRules, ruleOf } from '../support/answers/rules.ts'
import {
  expectAddress,
  expectDisabled,
  expectFocused,
  expectGone,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// Rules beyond the four cards: actions on them take effect immediately.

const path = '/alert-settings'
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const others = (page: Page) => page.getByRole('region', { name: 'Other rules' })
const row = (page: Page, title: string) =>
  others(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const form = (page: Page) => page.getByRole('dialog', { name: 'Edit Alert' })

test('are listed, switched and deleted immediately', async ({ desk, open }) => {
  const kept = keepRules(desk, [...firstRules(), ruleOf({ type: 'position', kind: 'new_query' })])
  const page = await open(path)
  await expectVisible(others(page).getByText('All keywords · new in the top 10'))
  // Requested when it is scrolled into view.
  await row(page, 'New keyword').scrollIntoViewIfNeeded()
  await expectVisible(row(page, 'New keyword').getByRole('figure', { name: 'Backtest' }).getByText('Not enough history yet'))
  await page.getByRole('switch', { name: 'New keyword', exact: true }).click()
  await expectToast(page, 'success', 'Settings Saved', 'New keyword is off.')
  expect(kept.rules.at(-1)).toMatchObject({ title: 'New keyword', isEnabled: false })

  await others(page).getByRole('button', { name: 'Delete New keyword' }).click()
  await page.getByRole('alertdialog', { name: 'Delete New keyword?' }).getByRole('button', { name: 'Delete rule' }).click()
  await expectToast(page, 'success', 'Rule Deleted', 'New keyword')
  await expectGone(others(page))
  expect(kept.rules).toHaveLength(4)
})

test('are changed in the same form, which a URL opens and going back closes', async ({ desk, open }) => {
  const made = ruleOf({ type: 'ctr', title: 'Mine', monitor: 'site', threshold: 20 })
  const kept = keepRules(desk, [...firstRules(), made])
  const page = await open(path)
  await others(page).getByRole('button', { name: 'Edit Mine' }).click()
  await expectAddress(page, `${path}?rule=${made.id}`)
  await expectVisible(form(page))
  await page.goBack()
  await expectGone(form(page))
  await page.goForward()
  await expectVisible(form(page))
  await expectDisabled(form(page).getByRole('combobox', { name: 'Alert about' }))
  await form(page).getByRole('textbox', { name: 'Title' }).fill('Yours')
  await form(page).getByRole('spinbutton', { name: 'Minimum impressions' }).fill('')
  await form(page).getByRole('button', { name: 'Save Alert' }).click()
  await expectVisible(form(page).getByText('Enter a number'))
  await form(page).getByRole('spinbutton', { name: 'Minimum impressions' }).fill('70')
  await form(page).getByRole('button', { name: 'Save Alert' }).click()
  await expectToast(page, 'success', 'Settings Saved', 'Yours')
  await expectGone(form(page))
  await expectAddress(page, path)
  await expectFocused(others(page).getByRole('button', { name: 'Edit Yours' }))
  expect(kept.rules.at(-1)).toEqual({ ...made, title: 'Yours', minimumImpressions: 70 })
})

test('any rule can be copied, including the four, and the copy is opened', async ({ desk, open }) => {
  const kept = keepRules(desk)
  const page = await open(path)
  await card(page, 'Clicks drop').getByRole('button', { name: 'Duplicate Clicks drop' }).click()
  await expectToast(page, 'success', 'Rule Duplicated', 'Clicks drop (copy) is off until you turn it on.')
  await expectValue(form(page).getByRole('textbox', { name: 'Title' }), 'Clicks drop (copy)')
  await form(page).getByRole('switch', { name: 'Enabled' }).click()
  await form(page).getByRole('button', { name: 'Save Alert' }).click()
  await expectGone(form(page))
  await others(page).getByRole('button', { name: 'Duplicate Clicks drop (copy)' }).click()
  await expectVisible(form(page))
  await expectValue(form(page).getByRole('textbox', { name: 'Title' }), 'Clicks drop (copy) (copy)')
  await page.keyboard.press('Escape')
  await expectGone(form(page))
  expect(kept.rules.slice(4)).toMatchObject([
    { title: 'Clicks drop (copy)', isEnabled: true, threshold: 15, comparison: 'previous_7_days', monitor: 'top_pages' },
    { title: 'Clicks drop (copy) (copy)', isEnabled: false },
  ])
})

test('a broken one says why and what to do, and is fixed by saving all of it', async ({ desk, open }) => {
  const problem = 'This rule could not be checked: its monitor is invalid. Save it again or delete it.'
  keepRules(desk, [...firstRules(), ruleOf({ type: 'clicks', title: 'Bad' }, { problem })])
  const page = await open(path)
  await expectVisible(row(page, 'Bad').getByText(problem))
  await others(page).getByRole('button', { name: 'Edit Bad' }).click()
  await expectVisible(form(page).getByText(problem))
  await form(page).getByRole('button', { name: 'Save Alert' }).click()
  await expectToast(page, 'success', 'Settings Saved', 'Bad')
  await expectGone(row(page, 'Bad').getByText(problem))
  await expect
    .poll(() => desk.asked('PATCH /api/alert-conditions/:id').map(({ body }) => body))
    .toMatchObject([{ monitor: 'top_pages', title: 'Bad' }])
})
