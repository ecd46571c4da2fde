import type { Page } from 'playwright-core'
import { eventOf } from '../support/answers/account.ts'
import { expectCount, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const list = (page: Page) => page.getByRole('region', { name: 'Data and privacy' }).getByRole('list', { name: 'Account activity' })
const entry = (page: Page, words: string) => list(page).getByRole('listitem').filter({ hasText: words })
const created = eventOf(1, { kind: 'registered', details: { with: 'password' } })

test('a login from another device and a new key are listed, with where they came from', async ({ desk, open }) => {
  desk.answer('GET /api/audit-log', {
    events: [
      eventOf(
        4,
        { kind: 'destination-set', details: { channel: 'email', to: 'team@example.test' } },
        { by: 'reader', userAgent: null, address: null },
      ),
      eventOf(3, { kind: 'key-created', details: { name: 'Looker', scope: 'read' } }),
      eventOf(2, { kind: 'signed-in', details: { with: 'password' } }, { userAgent: phone, address: '203.0.113.9' }),
      created,
    ],
    next: null,
  })
  const page = await open('/settings')
  await expectVisible(entry(page, 'API key “Looker” created (read only)'))
  const login = entry(page, 'Logged in with a password')
  await expectVisible(login.getByText('Safari on iPhone · 203.0.113.9'), login.getByText('Today, 18:00', { exact: true }))
  // Whoever agreed in an email may be somebody else: neither their browser nor where they were.
  await expectVisible(entry(page, 'team@example.test').getByText('Through a link in an email', { exact: true }))
  await expectVisible(entry(page, 'Account created'))
})

test('older activity is shown on demand, back to its beginning', { tags: ['full'] }, async ({ desk, open }) => {
  const events = [...Array.from({ length: 70 }, (_, index) => eventOf(71 - index, { kind: 'signed-out', details: {} })), created]
  desk.answer('GET /api/audit-log', ({ query }) => {
    const rest = events.filter(({ id }) => Number(id) < Number(query.get('before') ?? Infinity))
    return { events: rest.slice(0, 50), next: rest.length > 50 ? rest[49]!.id : null }
  })
  const page = await open('/settings')
  await expect.poll(() => list(page).getByRole('listitem').count()).toBe(8)
  const older = page.getByRole('button', { name: 'Show older activity' })
  await older.click()
  await expect.poll(() => list(page).getByRole('listitem').count()).toBe(50)
  await older.click()
  await expect.poll(() => list(page).getByRole('listitem').count()).toBe(71)
  await expectVisible(entry(page, 'Account created'))
  await expectCount(older, 0)
})

test('a failed load says so, and can be retried', { tags: ['full'] }, async ({ desk, open }) => {
  desk.refuse('GET /api/audit-log', 500)
  const page = await open('/settings')
  const again = page.getByRole('region', { name: 'Data and privacy' }).getByRole('button', { name: 'Try again' })
  await expectVisible(again)
  desk.answer('GET /api/audit-log', { events: [created], next: null })
  await again.click()
  await expectVisible(entry(page, 'Account created'))
})
