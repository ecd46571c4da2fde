import type { Page } from 'playwright-core'
import { keepDelivery } from '../support/answers/delivery.ts'
import { firstRules, keepRules } from '../support/answers/rules.ts'
import { propertyOf, settingsOf, shopName } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectCount,
  expectDisabled,
  expectEnabled,
  expectFocused,
  expectGone,
  expectText,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The four cards of Alert Configuration, and what they save.

const path = '/alert-settings'
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const threshold = (page: Page, title: string) => card(page, title).getByRole('spinbutton', { name: /^Alert when/ })
const minimum = (page: Page, title: string) => card(page, title).getByLabel('Minimum impressions')
const turn = (page: Page, title: string) => page.getByRole('switch', { name: title, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()
const prompt = (page: Page) => page.getByRole('region', { name: 'Ready to set up your first alert?' })

async function choose(page: Page, title: string, label: string, option: string): Promise<void> {
  await card(page, title).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test(
  'a user without rules is guided to create the first ones, and no longer once there are some',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const kept = keepRules(desk, [])
    const page = await open('/dashboard')
    await prompt(page).getByRole('link', { name: 'Create Your First Alert' }).click()
    await expectAddress(page, path)

    await expectVisible(page.getByRole('heading', { name: 'Alert Configuration', level: 1 }))
    for (const title of ['Clicks drop', 'CTR drop', 'Impressions spike', 'Position drop'])
      await expectVisible(card(page, title).getByText('Not saved yet'))
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    await expectGone(page.getByText('Not saved yet'))
    expect(kept.rules).toMatchObject([
      { title: 'Clicks drop', isEnabled: true, monitor: 'top_pages', threshold: 15, comparison: 'previous_7_days' },
      { title: 'CTR drop', isEnabled: true, monitor: 'top_queries', threshold: 10, minimumImpressions: 100 },
      { title: 'Impressions spike', isEnabled: false, monitor: 'new_content', threshold: 50, minimumImpressions: 50 },
      { title: 'Position drop', isEnabled: true, monitor: 'queries', threshold: 3, minimumImpressions: 50 },
    ])

    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expectVisible(card(page, 'Manual Alert Evaluation'))
    await expectCount(prompt(page), 0)
  },
)

test('the welcome precedes the first alert', { tags: ['full'] }, async ({ desk, open }) => {
  keepRules(desk, [])
  const page = await open('/dashboard', { newHere: true })
  await expectVisible(page.getByText('Step 1 of 4'))
  await expectCount(prompt(page), 0)
  await page.getByRole('button', { name: 'Skip' }).click()
  await expectVisible(prompt(page))
})

test('changes are saved, only for this property', async ({ desk, signIn, open }) => {
  const blog = 'https://thecrumbjournal.example/'
  signIn({ gscProperties: [propertyOf(), propertyOf({ id: '2', name: blog })] })
  const kept = keepRules(desk, [...firstRules(blog), ...firstRules()])
  const [clicks, ctr, impressions, position] = firstRules()
  const page = await open(path)
  await threshold(page, 'Clicks drop').fill('25')
  await choose(page, 'Clicks drop', 'Compare with', 'Same period last year')
  await choose(page, 'CTR drop', 'Monitor', 'Specific pages')
  await card(page, 'CTR drop').getByLabel('Pages, one per line').fill('https://changing.example/a\n\n https://changing.example/b ')
  await choose(page, 'CTR drop', 'Monitor', 'Whole site')
  await choose(page, 'CTR drop', 'Monitor', 'Specific pages')
  await turn(page, 'Impressions spike').click()
  await minimum(page, 'Impressions spike').fill('70')
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')

  expect(kept.rules).toEqual([
    ...firstRules(blog),
    { ...clicks, threshold: 25, comparison: 'same_period_last_year' },
    { ...ctr, monitor: 'pages', targets: ['https://changing.example/a', 'https://changing.example/b'] },
    { ...impressions, isEnabled: true, minimumImpressions: 70 },
    position,
  ])
  // Only changes are sent.
  await expect
    .poll(() => desk.asked('PATCH /api/alert-conditions/:id').map(({ body }) => body))
    .toEqual([
      { threshold: 25, comparison: 'same_period_last_year' },
      { monitor: 'pages', targets: ['https://changing.example/a', 'https://changing.example/b'] },
      { isEnabled: true, minimumImpressions: 70 },
    ])
  await page.reload()
  await expectVisible(card(page, 'Clicks drop'))
  await expectValue(threshold(page, 'Clicks drop'), '25')
  await expectValue(card(page, 'CTR drop').getByRole('textbox'), 'https://changing.example/a\nhttps://changing.example/b')
})

test('limits are shown at the field, which gets the focus, and nothing is saved', { tags: ['full'] }, async ({ desk, open }) => {
  keepRules(desk)
  const page = await open(path)
  const clicks = threshold(page, 'Clicks drop')
  for (const [typed, message] of [
    ['101', "A percentage can't be over 100"],
    ['0', 'The threshold must be at least 1'],
    ['', 'Enter a number'],
    ['2.5', 'Enter a whole number'],
  ] as const) {
    await clicks.fill(typed)
    await save(page)
    await expectVisible(card(page, 'Clicks drop').getByText(message, { exact: true }))
    await expectFocused(clicks)
  }
  await clicks.fill('20')
  await minimum(page, 'CTR drop').fill('0')
  await save(page)
  await expectVisible(card(page, 'CTR drop').getByText('Minimum impressions must be at least 1', { exact: true }))
  expect(desk.asked('PATCH /api/alert-conditions/:id')).toEqual([])
})

test('an invalid field is scrolled into view, not below the header', { tags: ['full'] }, async ({ desk, open }) => {
  keepRules(desk)
  const page = await open(path)
  const clicks = threshold(page, 'Clicks drop')
  for (const [width, height] of [
    [1440, 600],
    [375, 812],
  ] as const) {
    await page.setViewportSize({ width, height })
    await clicks.fill('')
    await save(page)
    await expectFocused(clicks)
    expect(
      await clicks.evaluate((field) => {
        const { x, y } = field.getBoundingClientRect()
        return document.elementFromPoint(x + 8, y + 2) === field
      }),
    ).toBe(true)
  }
})

test("a card that is off is dimmed, its fields are disabled, and it doesn't block saving", { tags: ['full'] }, async ({ desk, open }) => {
  const kept = keepRules(desk)
  const page = await open(path)
  const clicks = card(page, 'Clicks drop')
  const dimmed = () => clicks.getByRole('group').evaluate((group) => Number(getComputedStyle(group).opacity) < 1)
  await expectVisible(clicks)
  expect(await dimmed()).toBe(false)
  await threshold(page, 'Clicks drop').fill('500')
  await turn(page, 'Clicks drop').click()
  await expect.poll(dimmed).toBe(true)
  for (const field of await clicks.locator('fieldset').locator('input[type=number], [role=combobox]').all()) await expectDisabled(field)

  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  expect(kept.rules[0]).toMatchObject({ isEnabled: false, threshold: 15, comparison: 'previous_7_days' })
  await turn(page, 'Clicks drop').click()
  await expectEnabled(threshold(page, 'Clicks drop'))
  await expect.poll(dimmed).toBe(false)
})

test(
  "a card that can't be saved is named, keeps no other from being saved, and is created again on the next try",
  { tags: ['full'] },
  async ({ desk, open }) => {
    const kept = keepRules(desk)
    const page = await open(path)
    await expectVisible(card(page, 'Clicks drop'))
    // Deleted in another window.
    kept.rules = kept.rules.filter(({ type }) => type !== 'clicks')
    await threshold(page, 'Clicks drop').fill('30')
    await minimum(page, 'CTR drop').fill('300')
    await save(page)
    await expectVisible(page.getByRole('alert').getByText("Clicks drop: This rule doesn't exist or isn't yours."))
    await expectVisible(card(page, 'Clicks drop').getByText('Not saved yet'))
    await expectValue(threshold(page, 'Clicks drop'), '30')
    await expectVisible(page.getByText('Unsaved changes: Clicks drop', { exact: true }))
    expect(kept.rules.find(({ type }) => type === 'ctr')).toMatchObject({ minimumImpressions: 300 })
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    await expectCount(page.getByRole('alert').getByText('Clicks drop'), 0)
    expect(kept.rules).toHaveLength(4)
    expect(kept.rules.find(({ type }) => type === 'clicks')).toMatchObject({ threshold: 30, isEnabled: true })
  },
)

test('unsaved changes are announced, and all are saved together: conditions and delivery', { tags: ['full'] }, async ({ desk, open }) => {
  const rules = keepRules(desk)
  const delivery = keepDelivery(desk, { settings: settingsOf() })
  const page = await open(path)
  const unsaved = page.getByText(/^Unsaved changes/)
  await expectVisible(turn(page, 'Positive alerts'))
  await expectCount(unsaved, 0)
  await threshold(page, 'Clicks drop').fill('33')
  await expectVisible(card(page, 'Clicks drop').getByText('Unsaved changes', { exact: true }))
  await expectText(unsaved.last(), 'Unsaved changes: Clicks drop')
  await threshold(page, 'Clicks drop').fill('15')
  await expectGone(unsaved)

  await threshold(page, 'Clicks drop').fill('34')
  await turn(page, 'Positive alerts').click()
  await expectText(unsaved.last(), 'Unsaved changes: Clicks drop, Delivery')
  await save(page)
  await expectToast(page, 'success', 'Settings Saved', shopName)
  await expectGone(unsaved)
  expect(rules.rules[0]).toMatchObject({ threshold: 34 })
  expect(delivery.settings).toMatchObject({ positiveAlerts: true })
})

test('without a property the rules ask for one', { tags: ['full'] }, async ({ signIn, open }) => {
  signIn({ selectedProperty: null, gscProperties: [], sitesMonitored: 0 })
  const page = await open(path)
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }))
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await expectAddress(page, '/settings')
  await page.goBack()
  await page.getByRole('link', { name: 'Select Property' }).click()
  await expectAddress(page, '/account')
})
