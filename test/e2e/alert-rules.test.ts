import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AlertCondition, alertCondition, alertConditions, type NewCondition } from '../../src/contract/alert-conditions.ts'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { ownerOf } from '../support/people.ts'

// Rules beyond the four cards, and what every rule would have done.

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const others = (page: Page) => page.getByRole('region', { name: 'Other rules' })
const row = (page: Page, title: string) =>
  others(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const dialog = (page: Page, name: 'New Alert' | 'Edit Alert') => page.getByRole('dialog', { name })
const backtest = (place: Locator) => place.getByRole('figure', { name: 'Backtest' })

async function choose(place: Locator, label: string, option: string): Promise<void> {
  await place.getByRole('combobox', { name: label }).click()
  await place.page().getByRole('option', { name: option, exact: true }).click()
}

const rulesOf = async (person: Visitor) => alertConditions.parse((await person.get('/api/alert-conditions')).body)
const create = async (person: Visitor, rule: NewCondition): Promise<AlertCondition> =>
  alertCondition.parse((await person.send('POST', '/api/alert-conditions', rule)).body)

/** Somebody with one property and its first rules, of which too little is stored to look back at. */
const owner = (name: string) => ownerOf(app, `https://${name}.example/`, { days: 3, email: `${name}@example.test` })

/** Somebody whose only page lost an eighth of its clicks in the last of four weeks. */
async function ownerOfDrop(name: string): Promise<Visitor> {
  const site = `https://${name}.example/`
  const through = '2026-03-15'
  await app.google.account(`${name}@example.test`, { [site]: 'empty' })
  for (const date of eachDay(addDays(through, -27), addDays(through, 3))) {
    const clicks = date > addDays(through, -7) ? 875 : 1_000
    await app.google.setRows(site, date, [{ query: 'lamp', page: `${site}lamps`, clicks, impressions: clicks * 10, position: 4 }])
  }
  await app.google.call('PUT', 'late', { site, days: 3 })
  return ownerOf(app, site, { days: 31, email: `${name}@example.test` })
}

describe('what a rule would have done', () => {
  test('stands beside it, and follows its fields before they are saved', async () => {
    const person = await ownerOfDrop('backtest')
    const page = await browser.visitAs(person, '/alert-settings')
    const clicks = card(page, 'Clicks drop')
    await expectText(backtest(clicks).getByRole('paragraph'), 'No alert in 2 weeks')
    expect(await backtest(clicks).getByRole('slider').count()).toBe(0)
    await clicks.getByRole('spinbutton').fill('10')
    await expectText(backtest(clicks).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
    expect((await rulesOf(person))[0]).toMatchObject({ threshold: 15 })

    // On which day, and about what: to the keyboard, to the pointer, and as a table.
    const marks = backtest(clicks).getByRole('slider', { name: 'Days with alerts' })
    expect(await marks.getAttribute('aria-valuetext')).toBe('14 Mar 2026: 1 alert, https://backtest.example/lamps')
    await marks.focus()
    await expectVisible(backtest(clicks).getByText('14 Mar 2026:'), backtest(clicks).getByText('1 alert', { exact: true }))
    await clicks.getByRole('spinbutton').focus()
    await expectGone(backtest(clicks).getByText('14 Mar 2026:'))
    await clicks.getByRole('button', { name: 'Show as table: Clicks drop' }).click()
    await expectText(page.getByRole('table').getByRole('row').last(), '14 Mar 2026 1 https://backtest.example/lamps')
    await page.keyboard.press('Escape')

    // A card that is off has it too; what is not right cannot be tried.
    await page.getByRole('switch', { name: 'Clicks drop', exact: true }).click()
    await expectText(backtest(clicks).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
    await page.getByRole('switch', { name: 'Clicks drop', exact: true }).click()
    await clicks.getByRole('spinbutton').fill('101')
    await expectText(backtest(clicks), 'When it would have alerted is shown here once the fields above are right.')
    await expectText(backtest(card(page, 'Position drop')), 'Nothing to look back at until queries are chosen.')
  })

  test('is not known while too little is stored', async () => {
    const page = await browser.visitAs(await owner('short'), '/alert-settings')
    await expectVisible(backtest(card(page, 'Clicks drop')).getByText('Not enough history yet', { exact: true }))
  })

  test('that cannot be looked up is said in its place, and can be tried again', async () => {
    const page = await browser.visitAs(await ownerOfDrop('offline'), '/alert-settings')
    const clicks = card(page, 'Clicks drop')
    await expectText(backtest(clicks).getByRole('paragraph'), 'No alert in 2 weeks')
    await page.context().setOffline(true)
    await clicks.getByRole('spinbutton').fill('11')
    await expectVisible(backtest(clicks).getByText('https://offline.example/ could not be looked back at.'))
    await page.context().setOffline(false)
    await backtest(clicks).getByRole('button', { name: 'Try again' }).click()
    await expectText(backtest(clicks).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
  })
})

describe('a new rule', () => {
  test('from nothing: what is wrong is told at its field, what it would have done follows, and then it is there', async () => {
    const person = await ownerOfDrop('blank')
    const page = await browser.visitAs(person, '/alert-settings')
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    const title = form.getByRole('textbox', { name: 'Title' })
    const submit = form.getByRole('button', { name: 'Create Alert' })
    await submit.click()
    await expectVisible(form.getByText('Give the rule a title'))
    await expectFocused(title)
    await title.fill('Fewer clicks')
    await form.getByRole('spinbutton', { name: 'Alert when drops by' }).fill('101')
    await submit.click()
    await expectVisible(form.getByText('A percentage is at most 100'))
    await expectFocused(form.getByRole('spinbutton', { name: 'Alert when drops by' }))
    await form.getByRole('spinbutton', { name: 'Alert when drops by' }).fill('10')
    await expectText(backtest(form).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
    await expectVisible(form.getByRole('combobox', { name: 'Compare with' }))

    // "Spike" in the title turns it round; other figures have other fields.
    await title.fill('A spike of something')
    await expectVisible(form.getByRole('spinbutton', { name: 'Alert when increases by' }), form.getByText('% or more', { exact: true }))
    await expectText(backtest(form).getByRole('paragraph'), 'No alert in 2 weeks')
    await choose(form, 'Alert about', 'Position')
    await expectVisible(form.getByText('positions or more', { exact: true }))
    expect(await form.getByRole('combobox', { name: 'Compare with' }).count()).toBe(0)
    await form.getByRole('spinbutton', { name: 'Minimum impressions' }).fill('0')
    await submit.click()
    await expectVisible(form.getByText('Minimum impressions must be at least 1'))
    await form.getByRole('spinbutton', { name: 'Minimum impressions' }).fill('20')
    await choose(form, 'Monitor', 'Specific pages')
    await form.getByRole('textbox', { name: 'Pages, one per line' }).fill('https://blank.example/lamps\n\nhttps://blank.example/b')
    await submit.click()
    await expectToast(page, 'success', 'Rule Created', 'A spike of something')
    await expectGone(form)
    await expectVisible(row(page, 'A spike of something').getByText('Position · Specific pages · increases by 3 positions or more'))
    expect((await rulesOf(person)).slice(4)).toMatchObject([
      {
        type: 'position',
        kind: 'change',
        title: 'A spike of something',
        isEnabled: true,
        monitor: 'pages',
        targets: ['https://blank.example/lamps', 'https://blank.example/b'],
        threshold: 3,
        thresholdUnit: 'positions',
        minimumImpressions: 20,
      },
    ])
  })

  test('from a template, which can be changed before', async () => {
    const person = await owner('template')
    const page = await browser.visitAs(person, '/alert-settings')
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    await form.getByRole('combobox', { name: 'Start from' }).click()
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      'Blank rule',
      'Ranking change',
      'Traffic spike',
      'New keyword',
      'Lost ranking',
      'New ranking page',
      'Drop in impressions',
      'Drop in clicks',
      'CTR drop',
    ])
    await page.getByRole('option', { name: 'Traffic spike' }).click()
    await expectVisible(form.getByText('Clicks of the whole site rise by half or more.'))
    await expectVisible(form.getByRole('spinbutton', { name: 'Alert when increases by' }))
    await choose(form, 'Start from', 'Lost ranking')
    expect(await form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Lost ranking')
    await form.getByRole('spinbutton', { name: 'Alert when out of the first' }).fill('5')
    await form.getByRole('switch', { name: 'Enabled' }).click()
    await form.getByRole('button', { name: 'Create Alert' }).click()
    await expectToast(page, 'success', 'Rule Created', 'Lost ranking')
    expect((await rulesOf(person)).slice(4)).toMatchObject([
      { type: 'position', kind: 'lost_query', title: 'Lost ranking', monitor: 'top_queries', threshold: 5, isEnabled: false },
    ])
  })

  test('that the server refuses is told in the form, which keeps what was typed', async () => {
    const person = await owner('many')
    for (let rule = 4; rule < 50; rule += 1) await create(person, { type: 'clicks', title: `Rule ${rule}` })
    const page = await browser.visitAs(person, '/alert-settings')
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    await form.getByRole('textbox', { name: 'Title' }).fill('One too many')
    await form.getByRole('button', { name: 'Create Alert' }).click()
    await expectVisible(form.getByRole('alert').getByText('A property can have up to 50 rules.'))
    expect(await form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('One too many')
  })
})

describe('rules beyond the four', () => {
  test('are listed, switched and deleted at once', async () => {
    const person = await owner('beyond')
    await create(person, { type: 'position', kind: 'new_query' })
    const page = await browser.visitAs(person, '/alert-settings')
    await expectVisible(others(page).getByText('All queries · new among the first 10 positions'))
    // Asked for once somebody gets there.
    await row(page, 'New keyword').scrollIntoViewIfNeeded()
    await expectVisible(backtest(row(page, 'New keyword')).getByText('Not enough history yet'))
    await page.getByRole('switch', { name: 'New keyword', exact: true }).click()
    await expectToast(page, 'success', 'Settings Saved', 'New keyword is off.')
    expect((await rulesOf(person)).at(-1)).toMatchObject({ title: 'New keyword', isEnabled: false })

    await others(page).getByRole('button', { name: 'Delete New keyword' }).click()
    await page.getByRole('alertdialog', { name: 'Delete New keyword?' }).getByRole('button', { name: 'Delete rule' }).click()
    await expectToast(page, 'success', 'Rule Deleted', 'New keyword')
    await expectGone(others(page))
    expect(await rulesOf(person)).toHaveLength(4)
  })

  test('are changed in the same form, which the address opens and going back closes', async () => {
    const person = await owner('editing')
    const made = await create(person, { type: 'ctr', title: 'Mine', monitor: 'site', threshold: 20 })
    const page = await browser.visitAs(person, '/alert-settings')
    await others(page).getByRole('button', { name: 'Edit Mine' }).click()
    const form = dialog(page, 'Edit Alert')
    await expectAddress(page, `/alert-settings?rule=${made.id}`)
    await expectVisible(form)
    await page.goBack()
    await expectGone(form)
    await page.goForward()
    await expectVisible(form)
    expect(await form.getByRole('combobox', { name: 'Alert about' }).isDisabled()).toBe(true)
    await form.getByRole('textbox', { name: 'Title' }).fill('Yours')
    await form.getByRole('spinbutton', { name: 'Minimum impressions' }).fill('')
    await form.getByRole('button', { name: 'Save Alert' }).click()
    await expectVisible(form.getByText('Enter a number'))
    await form.getByRole('spinbutton', { name: 'Minimum impressions' }).fill('70')
    await form.getByRole('button', { name: 'Save Alert' }).click()
    await expectToast(page, 'success', 'Settings Saved', 'Yours')
    await expectGone(form)
    await expectAddress(page, '/alert-settings')
    await expectFocused(others(page).getByRole('button', { name: 'Edit Yours' }))
    expect((await rulesOf(person)).at(-1)).toEqual({ ...made, title: 'Yours', minimumImpressions: 70 })
  })

  test('any rule can be copied, the four as well, and the copy is opened', async () => {
    const person = await owner('copying')
    const page = await browser.visitAs(person, '/alert-settings')
    await card(page, 'Clicks drop').getByRole('button', { name: 'Duplicate Clicks drop' }).click()
    await expectToast(page, 'success', 'Rule Duplicated', 'Clicks drop (copy) is off until you switch it on.')
    const form = dialog(page, 'Edit Alert')
    expect(await form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Clicks drop (copy)')
    await form.getByRole('switch', { name: 'Enabled' }).click()
    await form.getByRole('button', { name: 'Save Alert' }).click()
    await expectGone(form)
    await others(page).getByRole('button', { name: 'Duplicate Clicks drop (copy)' }).click()
    await expectVisible(form)
    expect(await form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Clicks drop (copy) (copy)')
    await page.keyboard.press('Escape')
    await expectGone(form)
    expect((await rulesOf(person)).slice(4)).toMatchObject([
      { title: 'Clicks drop (copy)', isEnabled: true, threshold: 15, comparison: 'previous_7_days', monitor: 'top_pages' },
      { title: 'Clicks drop (copy) (copy)', isEnabled: false },
    ])
  })

  test('one that is broken says why and what to do, and is mended by saving it', async () => {
    const person = await owner('broken')
    const made = await create(person, { type: 'clicks', title: 'Bad', monitor: 'site' })
    const { sql } = await app.stores()
    await sql(`UPDATE alert_conditions SET monitor = 'nonsense' WHERE id = $1`, [made.id])
    await person.send('POST', '/api/alerts/evaluate')
    const page = await browser.visitAs(person, '/alert-settings')
    const problem = 'This rule could not be judged: its monitor is not understood. Save it again, or delete it.'
    await expectVisible(row(page, 'Bad').getByText(problem))
    await others(page).getByRole('button', { name: 'Edit Bad' }).click()
    const form = dialog(page, 'Edit Alert')
    await expectVisible(form.getByText(problem))
    await form.getByRole('button', { name: 'Save Alert' }).click()
    await expectToast(page, 'success', 'Settings Saved', 'Bad')
    await expectGone(row(page, 'Bad').getByText(problem))
    expect((await rulesOf(person)).at(-1)).toMatchObject({ monitor: 'top_pages', problem: null })
  })
})

describe('a link to a rule', () => {
  test('opens it', async () => {
    const person = await owner('linked')
    const made = await create(person, { type: 'clicks', title: 'Linked', monitor: 'site' })
    const page = await browser.visitAs(person, `/alert-settings?rule=${made.id}`)
    await expectVisible(dialog(page, 'Edit Alert'))
    expect(await dialog(page, 'Edit Alert').getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Linked')
    await page.keyboard.press('Escape')
    await expectAddress(page, '/alert-settings')
    await expectFocused(others(page).getByRole('button', { name: 'Edit Linked' }))
  })

  test('to one of the four leads to its card', async () => {
    const person = await owner('linked-card')
    const position = (await rulesOf(person)).at(-1)
    const page = await browser.visitAs(person, `/alert-settings?rule=${position?.id}`, { width: 375, height: 812 })
    const heading = card(page, 'Position drop').getByRole('heading')
    await expectFocused(heading)
    await expectAddress(page, '/alert-settings')
    expect(
      await heading.evaluate(
        (element) => element.getBoundingClientRect().top >= 0 && element.getBoundingClientRect().bottom <= innerHeight,
      ),
    ).toBe(true)
  })

  test('that no longer leads anywhere says so', async () => {
    const page = await browser.visitAs(await owner('gone'), '/alert-settings?rule=999999')
    await expectToast(
      page,
      'error',
      'Rule Not Found',
      'https://gone.example/ has no such rule. It may have been deleted, or belong to another property.',
    )
    await expectAddress(page, '/alert-settings')
  })
})
