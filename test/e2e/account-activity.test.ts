import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { session } from '../../src/contract/user.ts'
import type { TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { registered } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const list = (page: Page) => page.getByRole('region', { name: 'Data and privacy' }).getByRole('list', { name: 'Account activity' })
const entry = (page: Page, words: string) => list(page).getByRole('listitem').filter({ hasText: words })
async function events(person: Visitor, count: number): Promise<void> {
  const id = session.parse((await person.get('/api/auth/session')).body).user?.id
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO audit_events (user_id, at, kind, actor) SELECT $1, now(), 'signed-out', 'person' FROM generate_series(1, $2::int)`,
    [id, count],
  )
}

test('a login from another device and a key that was made are told, with where they came from', async () => {
  const person = await registered(app, 'watchful')
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'agency' WHERE user_id = (SELECT id FROM users WHERE username = 'watchful')`)
  const headers = { 'user-agent': phone, 'x-forwarded-for': '203.0.113.7' }
  await app.visitor().send('POST', '/api/auth/login', { username: 'watchful', password: 'a-good-password' }, { headers })
  await person.send('POST', '/api/keys', { name: 'Looker', scope: 'read', days: null })
  const page = await browser.visitAs(person, '/settings')
  await expectVisible(entry(page, 'API key “Looker” created, which may read'))
  const login = entry(page, 'Logged in with password')
  await expectVisible(login.getByText('Safari on iPhone · 203.0.113.7'), login.getByText(/^Today, \d\d:\d\d$/))
  await expectVisible(entry(page, 'Account created'))
})

test('older activity is shown on demand, to its beginning', async () => {
  const person = await registered(app, 'busy')
  await events(person, 70)
  const page = await browser.visitAs(person, '/settings')
  await expect.poll(() => list(page).getByRole('listitem').count()).toBe(8)
  const older = page.getByRole('button', { name: 'Show older activity' })
  await older.click()
  await expect.poll(() => list(page).getByRole('listitem').count()).toBe(50)
  await older.click()
  await expect.poll(() => list(page).getByRole('listitem').count()).toBe(71)
  await expectVisible(entry(page, 'Account created'))
  expect(await older.count()).toBe(0)
})

test('what cannot be loaded is said, and loaded when asked again', async () => {
  const person = await registered(app, 'patient')
  const page = await browser.visitAs(person, '/dashboard')
  const { sql } = await app.stores()
  await sql('ALTER TABLE audit_events RENAME TO audit_events_away')
  await page.goto('/settings')
  const card = page.getByRole('region', { name: 'Data and privacy' })
  const again = card.getByRole('button', { name: 'Try again' })
  await again.waitFor({ timeout: 20_000 })
  await sql('ALTER TABLE audit_events_away RENAME TO audit_events')
  await again.click()
  await expectVisible(entry(page, 'Account created'))
})
