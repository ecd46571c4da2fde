import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { appTest } from '../support/app-test.ts'
import { confirmAddress, leaveUnproven, member, registered } from '../support/people.ts'
import type { DayCount } from '../../src/server/database/day-counts.ts'

// Somebody elsewhere has a copy of the owner's cookie, and no password. They use up what the owner needs to defend the account.

const password = 'a-good-password'
const test = appTest({ today: '2026-03-18', demo: false })
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const [away, home] = [from('198.51.100.7'), from('203.0.113.9')]

test("a copied cookie doesn't use up the owner's confirmations, messages to support or test messages", async ({ app }) => {
  const owner = await registered(app, 'mover')
  const thief = app.visitor()
  for (const [name, value] of owner.cookies) thief.cookies.set(name, value)
  const ask = (who: typeof owner, extra: typeof home) => who.send('POST', '/api/auth/verify-email/send', {}, extra)

  // As often as one network may, while the address isn't confirmed.
  const asked: number[] = []
  for (let at = 0; at < 6; at += 1) asked.push((await ask(thief, away)).status)
  expect(asked).toEqual([202, 202, 202, 202, 202, 429])
  expect((await ask(owner, home)).status).toBe(202)
  await confirmAddress(app, owner, 'mover@example.test')

  // Then a resend has nothing to send, and counts nothing.
  for (let at = 0; at < 10; at += 1) expect((await ask(owner, home)).status).toBe(202)
  await leaveUnproven(app)
  expect((await owner.send('POST', '/api/user/proof', { password }, home)).status).toBe(204)
  const moved = await owner.send('PATCH', '/api/user', { email: 'new@example.test' }, home)
  expect(moved).toMatchObject({ status: 200, body: { pendingEmail: 'new@example.test' } })

  const message = { subject: 'Help', message: 'Somebody else is in my account.', diagnostics: [] }
  const written: number[] = []
  for (let at = 0; at < 6; at += 1) written.push((await thief.send('POST', '/api/support', message, away)).status)
  expect(written.at(-1)).toBe(429)
  expect((await owner.send('POST', '/api/support', message, home)).status).toBe(written[0])
})

test('a copied cookie on many networks sends support no more than one account may, and its owner still can', async ({ app }) => {
  const owner = await registered(app, 'writer')
  await confirmAddress(app, owner, 'writer@example.test')
  const thief = app.visitor()
  for (const [name, value] of owner.cookies) thief.cookies.set(name, value)
  const message = { subject: 'Help', message: 'Somebody else is in my account.', diagnostics: [] }
  const write = (who: typeof owner, ...extra: [] | [typeof home]) => who.send('POST', '/api/support', message, ...extra)
  const written: number[] = []
  for (let at = 0; at < 20; at += 1) written.push((await write(thief, from(`198.51.100.${Math.floor(at / 5) + 20}`))).status)
  expect(written.slice(-6)).toEqual([written[0], 429, 429, 429, 429, 429])
  expect((await write(owner)).status).toBe(written[0])
})

test("a copied cookie doesn't use up the payments that the owner may start, nor what they may ask of Stripe", async ({ app }) => {
  const owner = await member(app, { email: 'payer@example.test', password })
  const thief = app.visitor()
  for (const [name, value] of owner.cookies) thief.cookies.set(name, value)
  const choose = (who: typeof owner, planType: string, extra: typeof home) =>
    who.send('POST', '/api/create-subscription', { planType }, extra)
  expect((await choose(thief, 'pro', away)).status).toBe(200)
  const { sql } = await app.stores()
  // As many as one network may start in a day, and payment forms it may open in an hour.
  for (const kind of ['subscription', 'checkout']) {
    await sql('UPDATE attempts SET points = 60 WHERE key LIKE $1', [`${kind}-account:%`])
    expect((await choose(thief, 'agency', away)).status).toBe(429)
    expect((await choose(owner, 'agency', home)).status).toBe(200)
    await sql('DELETE FROM attempts')
    expect((await choose(thief, 'pro', away)).status).toBe(200)
  }

  const refresh = (who: typeof owner, extra: typeof home) => who.send('POST', '/api/subscription/refresh', {}, extra)
  const asked: number[] = []
  for (let at = 0; at < 31; at += 1) asked.push((await refresh(thief, away)).status)
  expect(asked.at(-1)).toBe(429)
  expect((await refresh(owner, home)).status).toBe(200)
})

/** What SECURITY.md calls each daily allowance of an account that a session uses up without a proof; null for all others. */
const allowances: Record<DayCount['what'], string | null> = {
  'import-row': '250 million imported rows',
  'report-run': '100 reports',
  snooze: '1,000 snoozes',
  'window-row': '200 million rows of new periods',
  'window-thousand-read': '5 billion rows read',
  'alert-mail': '500 alert emails',
  'alert-text': '50 alert text messages',
  // With a key, recipients, a phone number or a Google login, which all need a proof.
  'api-answer-kib': null,
  'report-mail': null,
  'code-text': null,
  'google-login': null,
  // Of a network, or of all accounts together.
  text: null,
  'ask-mail': null,
  'unasked-mail': null,
}

test('SECURITY.md names every allowance of the day that a copied cookie uses up', async () => {
  const said = await readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8')
  const paragraph = said.split('\n').find((line) => line.startsWith('- **What a copied cookie uses up.**')) ?? ''
  expect(Object.values(allowances).filter((words) => words !== null && !paragraph.includes(words))).toEqual([])
})
