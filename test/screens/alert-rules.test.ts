import type { Locator, Page } from 'playwright-core'
import type { SearchType } from '../../src/contract/common.ts'
import { queryAlert } from '../support/answers/alerts.ts'
import { backtestOfDrop, firstRules, keepRules, ruleOf } from '../support/answers/rules.ts'
import { shopName } from '../support/answers/usual.ts'
import { expectAccessible } from '../support/browser-accessible.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectText,
  expectTexts,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// Rules beyond the four cards, and every rule's backtest.

const path = '/alert-settings'
const lamps = 'https://lumenandloom.example/lamps'
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

test('all conditions are backtested together, as soon as the screen is there', async ({ desk, open }) => {
  keepRules(desk)
  desk.answer('POST /api/alert-conditions/backtest', backtestOfDrop(lamps))
  const { release } = desk.hold('POST /api/alert-conditions/backtest')
  const page = await open(path, { width: 1_440, height: 900 })
  // The fourth has no queries to show.
  await expect.poll(() => desk.asked('POST /api/alert-conditions/backtest').length).toBe(3)
  release()
  for (const title of ['Clicks drop', 'CTR drop', 'Impressions spike'])
    await expectText(backtest(card(page, title)).getByRole('paragraph'), 'No alerts in 2 weeks')
})

test('alerts that end with their rule, switched off or deleted, no longer show as active', async ({ desk, open }) => {
  keepRules(desk, [...firstRules(), ruleOf({ type: 'ctr', title: 'Mine', monitor: 'site' })])
  desk.answer('GET /api/alerts', [queryAlert('lamps', 1), queryAlert('beds', 2)])
  const page = await open('/alerts')
  const visit = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  const alerts = page.getByRole('region', { name: 'Alerts', exact: true }).getByRole('article')
  await expectCount(alerts, 2)

  await visit('Alert Settings')
  await page.getByRole('switch', { name: 'Clicks drop', exact: true }).click()
  desk.answer('GET /api/alerts', [queryAlert('beds', 2)])
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expectToast(page, 'success', 'Settings Saved')
  await visit('Active Alerts')
  await expectCount(alerts, 1)

  await visit('Alert Settings')
  await row(page, 'Mine').getByRole('button', { name: 'Delete Mine' }).click()
  desk.answer('GET /api/alerts', [])
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete rule' }).click()
  await expectToast(page, 'success', 'Rule Deleted', 'Mine')
  await visit('Active Alerts')
  await expectVisible(page.getByRole('heading', { name: 'Active Alerts', level: 1 }))
  await expectCount(alerts, 0)
})

describe("a rule's backtest", { tags: ['full'] }, () => {
  test('is next to it, and follows its fields before they are saved', async ({ desk, open }) => {
    const kept = keepRules(desk)
    desk.answer('POST /api/alert-conditions/backtest', backtestOfDrop(lamps))
    const page = await open(path)
    const clicks = card(page, 'Clicks drop')
    await expectText(backtest(clicks).getByRole('paragraph'), 'No alerts in 2 weeks')
    await expectCount(backtest(clicks).getByRole('slider'), 0)
    await clicks.getByRole('spinbutton').fill('10')
    await expectText(backtest(clicks).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
    expect(kept.rules[0]).toMatchObject({ threshold: 15 })

    // On which day, and about what: by keyboard, by pointer, and as a table.
    const marks = backtest(clicks).getByRole('slider', { name: 'Days with alerts' })
    await expectAttribute(marks, 'aria-valuetext', `14 Mar 2026: 1 alert, ${lamps}`)
    await marks.focus()
    await expectVisible(backtest(clicks).getByText('14 Mar 2026:'), backtest(clicks).getByText('1 alert', { exact: true }))
    await clicks.getByRole('spinbutton').focus()
    await expectGone(backtest(clicks).getByText('14 Mar 2026:'))
    await clicks.getByRole('button', { name: 'Show as table: Clicks drop' }).click()
    await expectText(page.getByRole('table').getByRole('row').last(), `14 Mar 2026 1 0 ${lamps}`)
    await page.keyboard.press('Escape')

    // A card that is off has it too; invalid settings can't be tried.
    await page.getByRole('switch', { name: 'Clicks drop', exact: true }).click()
    await expectText(backtest(clicks).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
    await page.getByRole('switch', { name: 'Clicks drop', exact: true }).click()
    await clicks.getByRole('spinbutton').fill('101')
    await expectText(backtest(clicks), 'Fix the fields above to see a backtest.')
    await expectText(backtest(card(page, 'Position drop')), 'Add keywords to see a backtest.')
  })

  test('is unknown while too little is stored', async ({ desk, open }) => {
    keepRules(desk)
    const page = await open(path)
    await expectVisible(backtest(card(page, 'Clicks drop')).getByText('Not enough history yet', { exact: true }))
  })

  test('that fails says so in its place, and can be retried', async ({ desk, open }) => {
    keepRules(desk)
    desk.answer('POST /api/alert-conditions/backtest', backtestOfDrop(lamps))
    const page = await open(path)
    const clicks = card(page, 'Clicks drop')
    await expectText(backtest(clicks).getByRole('paragraph'), 'No alerts in 2 weeks')
    desk.cut('POST /api/alert-conditions/backtest')
    await clicks.getByRole('spinbutton').fill('11')
    await expectVisible(backtest(clicks).getByText(`The backtest for ${shopName} could not be loaded.`))
    desk.answer('POST /api/alert-conditions/backtest', backtestOfDrop(lamps))
    await backtest(clicks).getByRole('button', { name: 'Try again' }).click()
    await expectText(backtest(clicks).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
  })
})

describe('a new rule', () => {
  test('from scratch: errors appear at their field, the backtest follows, and then it is there', async ({ desk, open }) => {
    const kept = keepRules(desk)
    desk.answer('POST /api/alert-conditions/backtest', backtestOfDrop(lamps))
    const page = await open(path)
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
    await expectVisible(form.getByText("A percentage can't be over 100"))
    await expectFocused(form.getByRole('spinbutton', { name: 'Alert when drops by' }))
    await form.getByRole('spinbutton', { name: 'Alert when drops by' }).fill('10')
    await expectText(backtest(form).getByRole('paragraph'), 'Would have alerted on 1 day since 1 Mar 2026')
    await expectVisible(form.getByRole('combobox', { name: 'Compare with' }))

    // "Spike" in the title reverses it; other metrics have other fields.
    await title.fill('A spike of something')
    await expectVisible(form.getByRole('spinbutton', { name: 'Alert when increases by' }), form.getByText('% or more', { exact: true }))
    await expectText(backtest(form).getByRole('paragraph'), 'No alerts in 2 weeks')
    await choose(form, 'Alert about', 'Position')
    await expectVisible(form.getByText('positions or more', { exact: true }))
    await expectCount(form.getByRole('combobox', { name: 'Compare with' }), 0)
    await form.getByRole('spinbutton', { name: 'Minimum impressions' }).fill('0')
    await submit.click()
    await expectVisible(form.getByText('Minimum impressions must be at least 1'))
    await form.getByRole('spinbutton', { name: 'Minimum impressions' }).fill('20')
    await choose(form, 'Monitor', 'Specific pages')
    await form.getByRole('textbox', { name: 'Pages, one per line' }).fill('https://blank.example/lamps\n\nhttps://blank.example/b')
    await choose(form, 'Monitor', 'Whole site')
    await choose(form, 'Monitor', 'Specific pages')
    await submit.click()
    await expectToast(page, 'success', 'Rule Created', 'A spike of something')
    await expectGone(form)
    await expectVisible(row(page, 'A spike of something').getByText('Position · Specific pages · increases by 3 positions or more'))
    expect(kept.rules.slice(4)).toMatchObject([
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

  test('about anomalies needs no threshold, only a sensitivity', { tags: ['full'] }, async ({ desk, open }) => {
    const kept = keepRules(desk)
    const page = await open(path)
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    await form.getByRole('textbox', { name: 'Title' }).fill('Odd impressions')
    await choose(form, 'Alert about', 'Unusual impressions')
    await expectCount(form.getByRole('spinbutton'), 0)
    await expectText(form.getByRole('combobox', { name: 'Direction' }), 'Drops and increases')
    await choose(form, 'Sensitivity', 'About 1 false alarm every 2 years')
    await form.getByRole('button', { name: 'Create Alert' }).click()
    await expectVisible(
      row(page, 'Odd impressions').getByText('Impressions · Whole site · unusually low or high · about 1 false alarm every 2 years'),
    )
    expect(kept.rules.at(-1)).toMatchObject({ kind: 'unusual', type: 'impressions', direction: 'both', sensitivity: 'low' })
  })

  test('from a template, which can be changed first', { tags: ['full'] }, async ({ desk, open }) => {
    const kept = keepRules(desk)
    const page = await open(path)
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    await form.getByRole('combobox', { name: 'Start from' }).click()
    await expectVisible(page.getByRole('option', { name: 'CTR drop' }))
    await expectTexts(page.getByRole('option'), [
      'Blank rule',
      'Ranking change',
      'Traffic spike',
      'New keyword',
      'Lost ranking',
      'New ranking page',
      'Drop in impressions',
      'Drop in clicks',
      'CTR drop',
      'Unusual pages',
      'Unusual keywords',
      'Unusual CTR',
      'Unusual positions',
    ])
    await page.getByRole('option', { name: 'Traffic spike' }).click()
    await expectVisible(form.getByText('Site-wide clicks rise by 50% or more.'))
    await expectVisible(form.getByRole('spinbutton', { name: 'Alert when increases by' }))
    await choose(form, 'Start from', 'Lost ranking')
    await expectValue(form.getByRole('textbox', { name: 'Title' }), 'Lost ranking')
    await form.getByRole('spinbutton', { name: 'Alert when it drops out of the top' }).fill('5')
    await form.getByRole('switch', { name: 'Enabled' }).click()
    await form.getByRole('button', { name: 'Create Alert' }).click()
    await expectToast(page, 'success', 'Rule Created', 'Lost ranking')
    expect(kept.rules.slice(4)).toMatchObject([
      { type: 'position', kind: 'lost_query', title: 'Lost ranking', monitor: 'top_queries', threshold: 5, isEnabled: false },
    ])
  })

  test('that the server refuses shows the reason in the form, which keeps its input', { tags: ['full'] }, async ({ desk, open }) => {
    keepRules(desk)
    desk.refuse('POST /api/alert-conditions', 409, { message: 'A property can have up to 50 rules.' })
    const page = await open(path)
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    await form.getByRole('textbox', { name: 'Title' }).fill('One too many')
    await form.getByRole('button', { name: 'Create Alert' }).click()
    await expectVisible(form.getByRole('alert').getByText('A property can have up to 50 rules.'))
    await expectValue(form.getByRole('textbox', { name: 'Title' }), 'One too many')
  })
})

describe('a link to a rule', { tags: ['full'] }, () => {
  test('opens it', async ({ desk, open }) => {
    keepRules(desk, [...firstRules(), ruleOf({ type: 'clicks', title: 'Linked', monitor: 'site' })])
    const page = await open(`${path}?rule=rule`)
    await expectVisible(dialog(page, 'Edit Alert'))
    await expectValue(dialog(page, 'Edit Alert').getByRole('textbox', { name: 'Title' }), 'Linked')
    await page.keyboard.press('Escape')
    await expectAddress(page, path)
    await expectFocused(others(page).getByRole('button', { name: 'Edit Linked' }))
  })

  test('leads to its card if it is one of the four', async ({ desk, open }) => {
    const position = keepRules(desk).rules.at(-1)
    const page = await open(`${path}?rule=${position?.id}`, { width: 375, height: 812 })
    const heading = card(page, 'Position drop').getByRole('heading')
    await expectFocused(heading)
    await expectAddress(page, path)
    expect(
      await heading.evaluate(
        (element) => element.getBoundingClientRect().top >= 0 && element.getBoundingClientRect().bottom <= innerHeight,
      ),
    ).toBe(true)
  })

  test('says so if it no longer leads anywhere', async ({ desk, open }) => {
    keepRules(desk)
    const page = await open(`${path}?rule=999999`)
    await expectToast(
      page,
      'error',
      'Rule Not Found',
      `${shopName} doesn't have this rule. It may have been deleted, or belong to another property.`,
    )
    await expectAddress(page, path)
  })
})

describe('the search type of a rule', () => {
  const stored = (type: SearchType) => ({
    type,
    period: { start: '2026-03-01', end: '2026-03-15' },
    compared: null,
    clicks: 90,
    impressions: 900,
    ctr: 0.1,
    position: 0,
    previous: null,
  })

  test('can be chosen if there is one other than web, and says what it has no data for', { tags: ['full'] }, async ({ desk, open }) => {
    keepRules(desk)
    desk.answer('GET /api/analytics/search-types', [stored('web'), stored('discover')])
    const page = await open(path)
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    await form.getByRole('textbox', { name: 'Title' }).fill('Discover falls')
    await choose(form, 'Monitor', 'Top 20 keywords')
    await choose(form, 'Search type', 'Discover')
    const reason = 'Discover has no data for keywords. Monitor pages or the whole site, or choose another search type.'
    await expectText(form.getByRole('alert'), reason)
    await expectVisible(form.getByText('Fix the fields above to see a backtest.'))
    await expectAccessible(page)
    desk.refuse('POST /api/alert-conditions', 400, { message: reason, field: 'searchType' })
    await form.getByRole('button', { name: 'Create Alert' }).click()
    await expectText(form.getByRole('alert'), reason)

    keepRules(desk)
    await choose(form, 'Monitor', 'Whole site')
    await expectCount(form.getByRole('alert'), 0)
    await expect.poll(() => desk.asked('POST /api/alert-conditions/backtest').at(-1)?.body).toMatchObject({ searchType: 'discover' })
    await form.getByRole('button', { name: 'Create Alert' }).click()
    expect(desk.asked('POST /api/alert-conditions').at(-1)?.body).toMatchObject({ searchType: 'discover', monitor: 'site' })
    await expectVisible(row(page, 'Discover falls').getByText('Clicks · Whole site · Discover · drops by 15% or more vs previous 7 days'))
  })

  test('can be Discover for unusual clicks of the whole site', { tags: ['full'] }, async ({ desk, open }) => {
    keepRules(desk)
    desk.answer('GET /api/analytics/search-types', [stored('web'), stored('discover')])
    const page = await open(path)
    await page.getByRole('button', { name: 'New Alert' }).click()
    const form = dialog(page, 'New Alert')
    await form.getByRole('textbox', { name: 'Title' }).fill('Unusual in Discover')
    await choose(form, 'Search type', 'Discover')
    await choose(form, 'Alert about', 'Unusual clicks')
    await expectCount(form.getByRole('alert'), 0)
    await expect
      .poll(() => desk.asked('POST /api/alert-conditions/backtest').at(-1)?.body)
      .toMatchObject({ kind: 'unusual', monitor: 'site', searchType: 'discover' })
    await form.getByRole('button', { name: 'Create Alert' }).click()
    expect(desk.asked('POST /api/alert-conditions').at(-1)?.body).toMatchObject({
      kind: 'unusual',
      monitor: 'site',
      searchType: 'discover',
    })
    await expectVisible(
      row(page, 'Unusual in Discover').getByText('Clicks · Whole site · Discover · unusually low or high · about 1 false alarm a year'),
    )
  })

  test('is not asked for where web search is all there is', { tags: ['full'] }, async ({ desk, open }) => {
    keepRules(desk)
    desk.answer('GET /api/analytics/search-types', [stored('web')])
    const page = await open(path)
    await page.getByRole('button', { name: 'New Alert' }).click()
    await expectVisible(dialog(page, 'New Alert').getByRole('combobox', { name: 'Monitor' }))
    await expectCount(page.getByRole('combobox', { name: 'Search type' }), 0)
  })
})
