// SPEC §2, "Alert Configuration", with §5 (limits, labels) and §9 (defaults, options). Saving and leaving: ../alert-settings, ../delivery.
import type { Page } from 'playwright-core'
import { channelsOn, keepDelivery } from '../../support/answers/delivery.ts'
import { keepRules } from '../../support/answers/rules.ts'
import type { Desk } from '../../support/answers/desk.ts'
import {
  expectCount,
  expectDisabled,
  expectEnabled,
  expectFocused,
  expectText,
  expectToast,
  expectVisible,
} from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'

const path = '/alert-settings'
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const power = (page: Page, title: string) => card(page, title).getByRole('switch', { name: title, exact: true })
const number = (page: Page, title: string, label: string) => card(page, title).getByRole('spinbutton', { name: label, exact: true })
const choice = (page: Page, title: string, label: string) => card(page, title).getByRole('combobox', { name: label, exact: true })

async function optionsOf(page: Page, title: string, label: string): Promise<string[]> {
  await choice(page, title, label).click()
  await expectVisible(page.getByRole('option'))
  const texts = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim())
  await page.keyboard.press('Escape')
  return texts
}

describe('conditions', () => {
  test('four cards with an on/off switch, the defaults of the specification and three comparisons', async ({ desk, open }) => {
    keepRules(desk)
    const page = await open(path)
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Alert Configuration', exact: true }))
    for (const [title, on, monitor, label, unit, threshold] of [
      ['Clicks drop', true, 'Top 10 pages', 'Alert when drops by', '% or more', '15'],
      ['CTR drop', true, 'Top 20 keywords', 'Alert when drops by', '% or more', '10'],
      ['Impressions spike', false, 'New content (under 30 days)', 'Alert when increases by', '% or more', '50'],
      ['Position drop', true, 'Specific keywords', 'Alert when drops by', 'positions or more', '3'],
    ] as const) {
      await expectVisible(card(page, title).getByText(unit, { exact: true }))
      expect(await power(page, title).isChecked(), `of ${title}`).toBe(on)
      await expectText(choice(page, title, 'Monitor'), monitor)
      expect(await number(page, title, label).inputValue(), `of ${title}`).toBe(threshold)
    }
    await expectText(choice(page, 'Clicks drop', 'Compare with'), 'Previous 7 days')
    for (const [title, minimum] of [
      ['CTR drop', '100'],
      ['Impressions spike', '50'],
      ['Position drop', '50'],
    ] as const) {
      expect(await number(page, title, 'Minimum impressions').inputValue(), `of ${title}`).toBe(minimum)
    }
    await expectVisible(card(page, 'Position drop').getByRole('textbox', { name: 'Keywords, one per line' }))
    // Only clicks have a comparison; only the other three have a minimum of impressions.
    await expectCount(page.getByRole('combobox', { name: 'Compare with' }), 1)
    await expectCount(page.getByRole('spinbutton', { name: 'Minimum impressions' }), 3)
    expect(await optionsOf(page, 'Clicks drop', 'Compare with')).toEqual(['Previous 7 days', 'Previous 30 days', 'Same period last year'])
  })

  test('one that is off is dimmed and all of its fields are disabled', async ({ desk, open }) => {
    keepRules(desk)
    const page = await open(path)
    const fields = card(page, 'Impressions spike').getByRole('group', { name: 'Impressions spike' })
    await expectVisible(fields)
    await expectDisabled(number(page, 'Impressions spike', 'Minimum impressions'))
    await expectDisabled(choice(page, 'Impressions spike', 'Monitor'))
    const opacity = () => fields.evaluate((element) => Number(getComputedStyle(element).opacity))
    await expect.poll(opacity).toBeLessThan(0.8)
    await power(page, 'Impressions spike').click()
    await expect.poll(opacity).toBe(1)
    await expectEnabled(number(page, 'Impressions spike', 'Minimum impressions'))
  })

  test('threshold at least 1, and at most 100 for percentages; minimum impressions at least 1; valid input is saved: "Settings Saved"', async ({
    desk,
    open,
  }) => {
    keepRules(desk)
    const page = await open(path)
    const refused = async (title: string, label: string, typed: string, message: string) => {
      await number(page, title, label).fill(typed)
      await page.getByRole('button', { name: 'Save Settings' }).click()
      await expectVisible(card(page, title).getByText(message, { exact: true }))
      // Saving focuses the first invalid field.
      await expectFocused(number(page, 'Clicks drop', 'Alert when drops by'))
    }
    await refused('Clicks drop', 'Alert when drops by', '0', 'The threshold must be at least 1')
    await refused('Clicks drop', 'Alert when drops by', '101', "A percentage can't be over 100")
    await refused('Position drop', 'Alert when drops by', '0', 'The threshold must be at least 1')
    await refused('CTR drop', 'Minimum impressions', '0', 'Minimum impressions must be at least 1')
    await page.reload()
    await number(page, 'CTR drop', 'Alert when drops by').fill('12')
    await page.getByRole('button', { name: 'Save Settings', exact: true }).click()
    await expectToast(page, 'success', 'Settings Saved')
    await page.reload()
    await expect.poll(() => number(page, 'CTR drop', 'Alert when drops by').inputValue()).toBe('12')
  })
})

describe('delivery', () => {
  const withDelivery = (desk: Desk, plan: 'free' | 'pro' | 'agency') => {
    keepRules(desk)
    keepDelivery(desk, { plan, channels: channelsOn(plan) })
  }

  test('email, critical and warning are on, positive and Slack are off', { tags: ['full'] }, async ({ desk, open }) => {
    withDelivery(desk, 'pro')
    const page = await open(path)
    const on = (title: string, name: string) => card(page, title).getByRole('switch', { name, exact: true }).isChecked()
    await expectVisible(card(page, 'Email'))
    expect([await on('Email', 'Email'), await on('Email', 'Critical alerts'), await on('Email', 'Warning alerts')]).toEqual([
      true,
      true,
      true,
    ])
    expect([await on('Email', 'Positive alerts'), await on('Slack', 'Slack')]).toEqual([false, false])
  })

  test('email: address and frequency, which is daily, weekly or instant; Slack: webhook and channel, on Pro and Agency', async ({
    desk,
    signIn,
    open,
  }) => {
    const page = await open('/alerts')
    for (const plan of ['pro', 'agency'] as const) {
      signIn({ plan })
      withDelivery(desk, plan)
      await page.goto(path)
      await power(page, 'Slack').click()
      for (const label of ['Webhook', 'Channel']) {
        await expectEnabled(card(page, 'Slack').getByRole('textbox', { name: label, exact: true }))
      }
      await expectVisible(card(page, 'Slack').getByRole('button', { name: 'Connect', exact: true }))
    }
    await expectVisible(card(page, 'Email').getByRole('textbox', { name: 'Email address', exact: true }))
    expect(await optionsOf(page, 'Email', 'Frequency')).toEqual(['Daily digest', 'Weekly digest', 'Instant alerts'])
  })

  test('Slack is locked on Free: the toggle and Connect are disabled, and it says why', async ({ desk, signIn, open }) => {
    signIn({ plan: 'free', siteLimit: 1 })
    withDelivery(desk, 'free')
    const page = await open(path)
    await expectVisible(card(page, 'Slack').getByText('Available on Pro and Agency plans', { exact: true }))
    await expectDisabled(power(page, 'Slack'))
    await expectDisabled(card(page, 'Slack').getByRole('button', { name: 'Connect', exact: true }))
  })
})
