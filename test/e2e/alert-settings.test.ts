import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alertConditions } from '../../src/contract/alert-conditions.ts'
import { alerts } from '../../src/contract/alerts.ts'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import { sites, type TestApp, type Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { newPerson, ownerOf } from '../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const turn = (page: Page, title: string) => page.getByRole('switch', { name: title, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()
const prompt = (page: Page) => page.getByRole('region', { name: 'Ready to set up your first alert?' })

const rulesOf = async (person: Visitor) => alertConditions.parse((await person.get('/api/alert-conditions')).body)

/** Somebody with one property and their first rules. */
const owner = (name: string) => ownerOf(app, `https://${name}.example/`, { days: 3, email: `${name}@example.test` })

/** The same, who has deleted them all. */
async function ownerWithoutRules(name: string): Promise<Visitor> {
  const person = await owner(name)
  for (const { id } of await rulesOf(person)) await person.send('DELETE', `/api/alert-conditions/${id}`)
  expect(await rulesOf(person)).toEqual([])
  return person
}

async function choose(page: Page, title: string, label: string, option: string): Promise<void> {
  await card(page, title).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('somebody without rules is led to make the first ones, and no longer once there are some', async () => {
  const person = await ownerWithoutRules('first')
  const page = await browser.visitAs(person, '/dashboard')
  await prompt(page).getByRole('link', { name: 'Create Your First Alert' }).click()
  await expectAddress(page, '/alert-settings')

  await expectVisible(page.getByRole('heading', { name: 'Alert Configuration', level: 1 }))
  for (const title of ['Clicks drop', 'CTR drop', 'Impressions spike', 'Position drop'])
    await expectVisible(card(page, title).getByText('Not saved yet'))
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  await expectGone(page.getByText('Not saved yet'))
  expect(await rulesOf(person)).toMatchObject([
    { title: 'Clicks drop', isEnabled: true, monitor: 'top_pages', threshold: 15, comparison: 'previous_7_days' },
    { title: 'CTR drop', isEnabled: true, monitor: 'top_queries', threshold: 10, minimumImpressions: 100 },
    { title: 'Impressions spike', isEnabled: false, monitor: 'new_content', threshold: 50, minimumImpressions: 50 },
    { title: 'Position drop', isEnabled: true, monitor: 'queries', threshold: 3, minimumImpressions: 50 },
  ])

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expectVisible(card(page, 'Manual Alert Evaluation'))
  expect(await prompt(page).count()).toBe(0)
})

test('the welcome comes before the first alert', async () => {
  const page = await browser.visitAs(await ownerWithoutRules('welcome'), '/dashboard', { newHere: true })
  await expectVisible(page.getByText('Step 1 of 4'))
  expect(await prompt(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Skip' }).click()
  await expectVisible(prompt(page))
})

test('each card has its fields, its unit and its label', async () => {
  const page = await browser.visitAs(await app.demo(), '/alert-settings')
  const field = (title: string, label: string) => card(page, title).getByRole('spinbutton', { name: label })
  const unit = (title: string, text: string) => card(page, title).getByText(text, { exact: true })
  await expectVisible(unit('Clicks drop', '% or more'), unit('Impressions spike', '% or more'), unit('Position drop', 'positions or more'))
  expect(await field('Clicks drop', 'Alert when drops by').inputValue()).toBe('15')
  expect(await field('CTR drop', 'Alert when drops by').inputValue()).toBe('10')
  expect(await field('Impressions spike', 'Alert when increases by').inputValue()).toBe('50')
  expect(await field('Position drop', 'Alert when drops by').inputValue()).toBe('3')

  await expectText(card(page, 'Clicks drop').getByRole('combobox', { name: 'Compare with' }), 'Previous 7 days')
  expect(await page.getByRole('combobox', { name: 'Compare with' }).count()).toBe(1)
  expect(await page.getByRole('spinbutton', { name: 'Minimum impressions' }).count()).toBe(3)
  expect(await field('CTR drop', 'Minimum impressions').inputValue()).toBe('100')
  await expectVisible(card(page, 'Position drop').getByRole('textbox', { name: 'Queries, one per line' }))
})

test('what is changed is saved, of this property alone', async () => {
  const person = await owner('changing')
  const before = await rulesOf(person)
  const page = await browser.visitAs(person, '/alert-settings')
  await card(page, 'Clicks drop').getByRole('spinbutton').fill('25')
  await choose(page, 'Clicks drop', 'Compare with', 'Same period last year')
  await choose(page, 'CTR drop', 'Monitor', 'Specific pages')
  await card(page, 'CTR drop').getByLabel('Pages, one per line').fill('https://changing.example/a\n\n https://changing.example/b ')
  await turn(page, 'Impressions spike').click()
  await card(page, 'Impressions spike').getByLabel('Minimum impressions').fill('70')
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')

  const [clicks, ctr, impressions, position] = before
  expect(await rulesOf(person)).toEqual([
    { ...clicks, threshold: 25, comparison: 'same_period_last_year' },
    { ...ctr, monitor: 'pages', targets: ['https://changing.example/a', 'https://changing.example/b'] },
    { ...impressions, isEnabled: true, minimumImpressions: 70 },
    position,
  ])
  await page.reload()
  await expectVisible(card(page, 'Clicks drop'))
  expect(await card(page, 'Clicks drop').getByRole('spinbutton').inputValue()).toBe('25')
  expect(await card(page, 'CTR drop').getByRole('textbox').inputValue()).toBe('https://changing.example/a\nhttps://changing.example/b')
  expect((await rulesOf(await app.demo()))[0]).toMatchObject({ title: 'Clicks drop', threshold: 15 })
})

test('limits are told at the field, which has the focus, and nothing is saved', async () => {
  const person = await owner('limits')
  const before = await rulesOf(person)
  const page = await browser.visitAs(person, '/alert-settings')
  const clicks = card(page, 'Clicks drop').getByRole('spinbutton')
  for (const [typed, message] of [
    ['101', 'A percentage is at most 100'],
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
  await card(page, 'CTR drop').getByLabel('Minimum impressions').fill('0')
  await save(page)
  await expectVisible(card(page, 'CTR drop').getByText('Minimum impressions must be at least 1', { exact: true }))
  expect(await rulesOf(person)).toEqual(before)
})

test('a field that is refused is brought into view, not below the header', async () => {
  const page = await browser.visitAs(await app.demo(), '/alert-settings')
  const clicks = card(page, 'Clicks drop').getByRole('spinbutton')
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

test('a card that is off is dimmed, none of its fields can be used, and it holds up nothing', async () => {
  const person = await owner('dimmed')
  const page = await browser.visitAs(person, '/alert-settings')
  const clicks = card(page, 'Clicks drop')
  const dimmed = () => clicks.getByRole('group').evaluate((group) => Number(getComputedStyle(group).opacity) < 1)
  await expectVisible(clicks)
  expect(await dimmed()).toBe(false)
  await clicks.getByRole('spinbutton').fill('500')
  await turn(page, 'Clicks drop').click()
  expect(await dimmed()).toBe(true)
  for (const field of await clicks.locator('fieldset').locator('input[type=number], [role=combobox]').all())
    expect(await field.isDisabled()).toBe(true)

  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  expect((await rulesOf(person))[0]).toMatchObject({ isEnabled: false, threshold: 15, comparison: 'previous_7_days' })
  await turn(page, 'Clicks drop').click()
  expect(await clicks.getByRole('spinbutton').isEnabled()).toBe(true)
  expect(await dimmed()).toBe(false)
})

test('a card that cannot be saved is named, keeps no other from being saved, and is made again with the next try', async () => {
  const person = await owner('elsewhere')
  const page = await browser.visitAs(person, '/alert-settings')
  await expectVisible(card(page, 'Clicks drop'))
  const [clicks] = await rulesOf(person)
  await person.send('DELETE', `/api/alert-conditions/${clicks?.id}`)
  await card(page, 'Clicks drop').getByRole('spinbutton').fill('30')
  await card(page, 'CTR drop').getByLabel('Minimum impressions').fill('300')
  await save(page)
  await expectVisible(page.getByRole('alert').getByText('Clicks drop: There is no such rule, or it is not yours.'))
  await expectVisible(card(page, 'Clicks drop').getByText('Not saved yet'))
  expect(await card(page, 'Clicks drop').getByRole('spinbutton').inputValue()).toBe('30')
  await expectVisible(page.getByText('Unsaved changes: Clicks drop', { exact: true }))
  expect((await rulesOf(person)).find(({ type }) => type === 'ctr')).toMatchObject({ minimumImpressions: 300 })
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  expect(await page.getByRole('alert').getByText('Clicks drop').count()).toBe(0)
  const rules = await rulesOf(person)
  expect(rules).toHaveLength(4)
  expect(rules.find(({ type }) => type === 'clicks')).toMatchObject({ threshold: 30, isEnabled: true })
})

test('what is not saved yet is said, and all of it is saved together: conditions and delivery', async () => {
  const person = await owner('together')
  const page = await browser.visitAs(person, '/alert-settings')
  const unsaved = page.getByText(/^Unsaved changes/)
  await expectVisible(turn(page, 'Positive alerts'))
  expect(await unsaved.count()).toBe(0)
  await card(page, 'Clicks drop').getByRole('spinbutton').fill('33')
  await expectVisible(card(page, 'Clicks drop').getByText('Unsaved changes', { exact: true }))
  await expectText(unsaved.last(), 'Unsaved changes: Clicks drop')
  await card(page, 'Clicks drop').getByRole('spinbutton').fill('15')
  await expectGone(unsaved)

  await card(page, 'Clicks drop').getByRole('spinbutton').fill('34')
  await turn(page, 'Positive alerts').click()
  await expectText(unsaved.last(), 'Unsaved changes: Clicks drop, Delivery')
  await save(page)
  await expectToast(page, 'success', 'Settings Saved', 'https://together.example/')
  await expectGone(unsaved)
  expect((await rulesOf(person))[0]).toMatchObject({ threshold: 34 })
  expect((await person.get('/api/delivery-settings')).body).toMatchObject({ positiveAlerts: true })
})

describe('leaving with changes that are not saved', () => {
  const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const threshold = (page: Page) => card(page, 'Clicks drop').getByRole('spinbutton')

  test('is asked about, and only then', async () => {
    const page = await browser.visitAs(await owner('leaving'), '/dashboard')
    const toDashboard = () => page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('link', { name: 'Alert Settings' }).click()
    await expectVisible(card(page, 'Clicks drop'))
    await toDashboard()
    await expectAddress(page, '/dashboard')
    await page.goBack()

    await threshold(page).fill('31')
    await toDashboard()
    await expectVisible(question(page).getByText('Not saved yet: Clicks drop.'))
    await page.keyboard.press('Escape')
    await expectGone(question(page))
    await expectAddress(page, '/alert-settings')
    expect(await threshold(page).inputValue()).toBe('31')

    await page.goBack()
    await expectVisible(question(page))
    await question(page).getByRole('button', { name: 'Leave without saving' }).click()
    await expectAddress(page, '/dashboard')
    await page.goForward()
    await expectVisible(card(page, 'Clicks drop'))
    expect(await threshold(page).inputValue()).toBe('15')
  })

  test('the browser asks too before the page is closed', async () => {
    const page = await browser.visitAs(await owner('closing'), '/alert-settings')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await expectVisible(card(page, 'Clicks drop'))
    await page.reload()
    expect(asked).toEqual([])
    await threshold(page).click()
    await threshold(page).fill('31')
    await expectVisible(page.getByText(/^Unsaved changes/))
    await page.reload({ timeout: 2_000 }).catch(() => {})
    expect(asked).toEqual(['beforeunload'])
    expect(await threshold(page).inputValue()).toBe('31')
  })

  test('to another property is not leaving: what was typed is still there afterwards', async () => {
    const page = await browser.visitAs(await app.demo(), '/alert-settings')
    const goOver = async (from: string, to: string) => {
      await page.getByRole('button', { name: `Property: ${from}` }).click()
      await page.getByRole('menuitemradio', { name: to }).click()
      await expectVisible(page.getByRole('main').getByText(to, { exact: true }))
      await expectVisible(card(page, 'Clicks drop'))
    }
    await threshold(page).fill('31')
    await goOver(sites.shop, sites.blog)
    expect(await threshold(page).inputValue()).toBe('15')
    await expectVisible(page.getByText(`Not saved yet, and kept until you leave: Clicks drop (${sites.shop})`))
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expectVisible(question(page).getByText(`Not saved yet: Clicks drop (${sites.shop}).`))
    await page.keyboard.press('Escape')
    await goOver(sites.blog, sites.shop)
    expect(await threshold(page).inputValue()).toBe('31')
    await threshold(page).fill('15')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expectAddress(page, '/dashboard')
  })

  test('logging out is not asked about', async () => {
    const page = await browser.visitAs(await owner('logout'), '/alert-settings')
    await threshold(page).fill('31')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expectVisible(page.getByRole('button', { name: 'Login' }))
  })
})

test('without a property the screen asks for one', async () => {
  const person = await newPerson(app, { email: 'gate@example.test' })
  const page = await browser.visitAs(person, '/alert-settings')
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }))
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await expectAddress(page, '/settings')
  await page.goBack()
  await page.getByRole('link', { name: 'Select Property' }).click()
  await expectAddress(page, '/account')
})

test('alerts can be evaluated at once', async () => {
  const person = await app.demo()
  const [clicks] = await rulesOf(person)
  const page = await browser.visitAs(person, '/dashboard')
  const evaluate = page.getByRole('button', { name: 'Evaluate Alerts' })
  const states = await evaluate.evaluateHandle((button) => {
    const seen: string[] = []
    const look = () => seen.push(`${button.textContent} ${button.matches(':disabled') ? 'inactive' : 'active'}`)
    new MutationObserver(look).observe(button, { childList: true, characterData: true, attributes: true, subtree: true })
    return seen
  })
  await evaluate.click()
  await expectToast(page, 'success', 'Alert evaluation complete', /^Generated \d+ new alerts based on your current metrics$/)

  // It is busy until the new alerts are on screen, which is after the message.
  await expect
    .poll(async () => new Set(await states.jsonValue()), { timeout: 15_000 })
    .toEqual(new Set(['Evaluating... inactive', 'Evaluate Alerts active']))

  // The same again: nothing is new.
  await evaluate.click()
  await expectToast(page, 'success', 'Alert evaluation complete', 'Generated 0 new alerts based on your current metrics')
  expect((await rulesOf(person))[0]).toEqual(clicks)
  expect(clicks?.property).toBe(sites.shop)
})

test('an evaluation that fails says why', async () => {
  const person = await owner('failing')
  const page = await browser.visitAs(person, '/dashboard')
  const evaluate = page.getByRole('button', { name: 'Evaluate Alerts' })
  await expectVisible(evaluate)
  await page.context().setOffline(true)
  await evaluate.click()
  await expectToast(page, 'error', 'Alert evaluation failed', 'Failed to evaluate alert conditions')
  await page.context().setOffline(false)

  // Given up in another window.
  await person.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  await evaluate.click()
  await expectToast(page, 'error', 'Alert evaluation failed', 'https://failing.example/ is not one of your properties.')
})

const recent = (page: Page) => page.getByRole('region', { name: 'Recent Alerts' })

test('without alerts the dashboard says how to get some', async () => {
  const page = await browser.visitAs(await owner('no-alerts'), '/dashboard')
  await expectVisible(recent(page).getByRole('heading', { name: 'No alerts generated yet' }))
  await expectVisible(recent(page).getByText('Configure alert conditions and run evaluation to generate alerts', { exact: true }))
  await expectVisible(recent(page).getByText('0 alerts', { exact: true }))
})

test('what evaluating finds is among the recent alerts, new until its link is used', async () => {
  const site = 'https://recent.example/'
  const through = '2026-03-15'
  await app.google.account('recent@example.test', { [site]: 'empty' })
  // An eighth less in the last week: too little for the rule as it comes.
  for (const date of eachDay(addDays(through, -27), addDays(through, 3))) {
    const clicks = date > addDays(through, -7) ? 875 : 1_000
    await app.google.setRows(site, date, [{ query: 'lamp', page: `${site}lamps`, clicks, impressions: clicks * 10, position: 4 }])
  }
  await app.google.call('PUT', 'late', { site, days: 3 })
  const person = await ownerOf(app, site, { days: 31, email: 'recent@example.test' })
  const found = async () => alerts.parse((await person.get('/api/alerts')).body)
  const evaluate = (page: Page) => page.getByRole('button', { name: 'Evaluate Alerts' }).click()

  const page = await browser.visitAs(person, '/dashboard')
  await evaluate(page)
  await expectToast(page, 'success', 'Alert evaluation complete', 'Generated 0 new alerts based on your current metrics')
  await expectVisible(recent(page).getByText('No alerts generated yet'))
  const [rule] = await rulesOf(person)
  await person.send('PATCH', `/api/alert-conditions/${rule?.id}`, { threshold: 10 })
  await evaluate(page)
  const rows = recent(page).getByRole('listitem')
  await expectVisible(rows, recent(page).getByText('1 alert', { exact: true }))
  expect(await rows.count()).toBe(1)
  const [alert] = await found()
  expect(alert).toMatchObject({ severity: 'info', type: 'clicks', previousValue: 7_000, currentValue: 6_125, change: -12.5, viewed: false })
  await expectVisible(
    rows.getByText('Info', { exact: true }),
    rows.getByText('New', { exact: true }),
    rows.getByText(/^Today, \d\d:\d\d$/),
    rows.getByRole('heading', { name: alert?.title ?? '', exact: true }),
    rows.locator('code').getByText(`${site}lamps`, { exact: true }),
    rows.getByText('Clicks 7K → 6.1K', { exact: true }),
    rows.getByText('Down 12.5%', { exact: true }),
    rows.getByText('vs last week', { exact: true }),
  )
  expect(await rows.innerText()).not.toContain('<')

  const link = rows.getByRole('link', { name: /^Open in Search Console/ })
  expect(await link.getAttribute('href')).toBe(
    `https://search.google.com/search-console?resource_id=${encodeURIComponent(alert?.target ?? '')}`,
  )
  // Google itself is no part of the test.
  await page.context().route('https://search.google.com/**', (route) => route.fulfill({ body: 'Search Console' }))
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await expect.poll(() => opened.url()).toBe(await link.getAttribute('href'))
  await expectVisible(rows.getByText('Viewed', { exact: true }))
  // On screen it is so at once, on the server a moment later.
  await expect.poll(async () => (await found()).map(({ viewed }) => viewed), { timeout: 15_000 }).toEqual([true])
})
