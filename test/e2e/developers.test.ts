import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanId } from '../../src/contract/user.ts'
import type { TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { newPerson, select, shortenHistory } from '../support/people.ts'
import { putAlerts } from '../support/stored-alerts.ts'
import type { Visitor } from '../support/visitor.ts'

const site = 'https://agency.example/'
let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let agency: Visitor

beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
  agency = await newPerson(app, { email: 'agency@example.test', plan: 'agency', sites: { [site]: 'empty' } })
  await shortenHistory(app, site, 3)
  await select(agency, site)
  await putAlerts(app, site, [{ openedAt: app.google.now().toISOString(), previous: 1_000, current: 500, change: -50 }])
})
afterAll(() => demo.close())

const onPlan = async (plan: PlanId) => {
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = $1 WHERE user_id = (SELECT id FROM users WHERE email = 'agency@example.test')`, [plan])
}
const read = (key: string) => app.visitor().get('/api/v1/alerts?state=open', { headers: { authorization: `Bearer ${key}` } })

test('a key is made, seen once, reads alerts through the API, and is refused once it is revoked', async () => {
  const page = await browser.visitAs(agency, '/developers')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const keys = page.getByRole('region', { name: 'API keys' })
  await expectVisible(keys.getByText('No keys yet'), page.getByText(`${app.url}/mcp`, { exact: true }))
  expect(await page.getByRole('figure', { name: 'A request with curl' }).innerText()).toContain(
    `curl "${app.url}/api/v1/alerts?state=open"`,
  )
  expect(await page.getByRole('link', { name: 'Everything the API can do' }).getAttribute('href')).toBe('/api/docs')

  await keys.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByRole('button', { name: 'Make key' }).click()
  await expectVisible(form.getByText('Please name the key'))
  await form.getByRole('textbox', { name: 'Name' }).fill('Looker Studio')
  await form.getByRole('radio', { name: 'Read and write' }).check()
  await form.getByRole('combobox', { name: 'Expires' }).click()
  await page.getByRole('option', { name: 'A year' }).click()
  await form.getByRole('button', { name: 'Make key' }).click()

  const once = page.getByRole('dialog', { name: 'Your new key' })
  const shown = once.getByRole('textbox', { name: 'API key' })
  await expectVisible(shown)
  const key = await shown.inputValue()
  expect(key).toMatch(/^rk_[\w-]{43}$/)
  await once.getByRole('button', { name: 'Copy key' }).click()
  await expectVisible(once.getByText('Copied'))
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await once.getByRole('button', { name: 'Done' }).click()
  await expectGone(once)
  await expectFocused(keys.getByRole('button', { name: 'New key' }))

  const entry = keys.getByRole('listitem').filter({ hasText: 'Looker Studio' })
  await expectVisible(entry.getByText('Read and write'), entry.getByText('Never used'), entry.getByText(`${key.slice(0, 7)}…`))
  expect(await page.content()).not.toContain(key)
  const answer = await read(key)
  expect(answer).toMatchObject({ status: 200, body: { data: [{ target: site, state: 'firing' }], next: null } })

  await page.reload()
  await expectVisible(entry.getByText('Last used today'))
  expect(await page.content()).not.toContain(key)
  await entry.getByRole('button', { name: 'Revoke Looker Studio' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect((await read(key)).status).toBe(200)
  await entry.getByRole('button', { name: 'Revoke Looker Studio' }).click()
  await page.getByRole('alertdialog', { name: 'Revoke this key?' }).getByRole('button', { name: 'Revoke key' }).click()
  await expectToast(page, 'success', 'Key Revoked')
  await expectVisible(keys.getByText('No keys yet'))
  expect(await read(key)).toMatchObject({ status: 401, body: { detail: expect.stringContaining('revoked') } })
})

test('Pro may only read; on Free there is no API, and keys that are left can be revoked', async () => {
  await onPlan('pro')
  const page = await browser.visitAs(agency, '/developers')
  const keys = page.getByRole('region', { name: 'API keys' })
  await keys.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await expectVisible(form.getByText('Available on the Agency plan'))
  expect(await form.getByRole('radio', { name: 'Read and write' }).isDisabled()).toBe(true)
  await form.getByRole('textbox', { name: 'Name' }).fill('Reader')
  await page.keyboard.press('Enter')
  const key = await page.getByRole('dialog').getByRole('textbox', { name: 'API key' }).inputValue()
  await page.keyboard.press('Escape')
  expect((await read(key)).status).toBe(200)

  await onPlan('free')
  await page.reload()
  const locked = page.getByRole('region', { name: 'An API for your own programs' })
  await expectVisible(locked.getByText('Available on Pro and Agency plans'), keys.getByText('Reader'))
  expect(await locked.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe('/settings')
  expect(await keys.getByRole('button', { name: 'New key' }).count()).toBe(0)
  expect(await read(key)).toMatchObject({
    status: 403,
    body: { detail: 'Your Free plan has no API access. Available on Pro and Agency plans.' },
  })
  await keys.getByRole('button', { name: 'Revoke Reader' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await expectGone(keys)
})
