import { expect } from 'vitest'
import { user } from '../../src/contract/user.ts'
import { appTest } from '../support/app-test.ts'
import { throughConsent } from '../support/consent.ts'
import { member, registered } from '../support/people.ts'

// A username that, in an email from the operator's domain, is a link or poses as the operator.

const password = 'a-good-password'
const test = appTest({ today: '2026-03-18', demo: false })

const likeAHost = "Username can't look like a web address. Use a hyphen instead of the dot."
const likeUs = "This username could be mistaken for this installation's own. Please choose another one."
const onlyLetters = 'Username can contain only letters, digits, dots, hyphens and underscores'
const misleading = [
  ['login.ranklark-verify.com', likeAHost],
  ['win.a-prize.example.com', likeAHost],
  ['www.prize1', likeAHost],
  ['Ranklark-Security', likeUs],
  ['RankIark_support', likeUs],
  ['R\u1d00\u0274\u1d0b\u029f\u1d00\u0280\u1d0b-Security', likeUs], // small capitals
  ['ꓣꓮꓠꓗꓡꓮꓣꓗ', likeUs], // another alphabet altogether
  ['Rankłark', likeUs],
  ['Rankl\u0430rk-Security', likeUs], // one letter of another alphabet
  ['win.prize.c\u043em', likeAHost], // the same
  ['Rank\u1160lark-Security', onlyLetters], // a letter that isn't shown
  ['prize.com\u3164now', onlyLetters],
] as const

test('cannot be chosen, at registration or later, and no email shows it', async ({ app }) => {
  const visitor = app.visitor()
  const person = await registered(app, 'harmless')
  for (const [username, message] of misleading) {
    const refusal = { status: 400, body: { message, field: 'username' } }
    const form = { username, email: 'customer@elsewhere.example', password }
    expect(await visitor.send('POST', '/api/auth/register', form)).toMatchObject(refusal)
    expect(await person.send('PATCH', '/api/user', { username })).toMatchObject(refusal)
  }
  expect((await visitor.send('POST', '/api/auth/register', { username: 'ann.smith', email: 'ann@people.example', password })).status).toBe(
    200,
  )
  expect(await app.mail.mails('customer@elsewhere.example')).toEqual([])
})

test("people's real names are accepted, in whatever alphabet", async ({ app }) => {
  for (const [at, username] of [
    'Łukasz',
    'Ødegård',
    'Zoë-Müller',
    '山田太郎',
    'Ольга',
    'Đặng',
    'Γιώργος',
    'K팝연구소',
    'PROдвижение',
    'Σigma',
  ].entries()) {
    const form = { username, email: `real${at}@people.example`, password }
    expect(await app.visitor().send('POST', '/api/auth/register', form)).toMatchObject({ status: 200 })
  }
})

test('is not given to somebody who arrives from Google either', async ({ app }) => {
  for (const [email, username] of [
    ['prize.com@google.example', 'prize-com'],
    ['ranklark.team@google.example', 'member'],
    ['bob.smith@google.example', 'bob.smith'],
  ] as const) {
    await app.google.account(email, {})
    const visitor = app.visitor()
    await throughConsent(visitor, { account: email })
    expect(user.parse((await visitor.get('/api/user')).body).username).toBe(username)
  }
})

test('from before names were checked keeps working, and is left out of emails to strangers', async ({ app }) => {
  const { sql } = await app.stores()
  const name = 'win.a-prize.example.com'
  const old = await member(app, { email: 'older@people.example', password })
  await sql(`UPDATE users SET name = $1, username = $1, display_username = $1 WHERE email = 'older@people.example'`, [name])
  expect((await app.visitor().send('POST', '/api/auth/login', { username: name, password })).status).toBe(200)
  // A profile is saved as a whole.
  expect(await old.send('PATCH', '/api/user', { username: name, email: 'victim@elsewhere.example' })).toMatchObject({ status: 200 })
  expect((await old.send('PATCH', '/api/user', { username: name.toUpperCase() })).status).toBe(200)
  await old.send('POST', '/api/user/proof', { password })
  // Only accounts with a confirmed address may ask others.
  await sql('UPDATE users SET email_verified = true WHERE username = $1', [name])
  expect((await old.send('PUT', '/api/delivery-channels/email', { address: 'alerts@elsewhere.example' })).status).toBe(200)
  await sql('UPDATE users SET email_verified = false WHERE username = $1', [name])
  await app.visitor().send('POST', '/api/auth/forgot-password', { email: 'victim@elsewhere.example' })
  for (const [to, kind, words] of [
    ['victim@elsewhere.example', 'confirm-address', 'A Ranklark account uses this email address.'],
    ['victim@elsewhere.example', 'reset-password', 'reset the password for a Ranklark account.'],
    ['alerts@elsewhere.example', 'confirm-delivery-address', 'The owner of a Ranklark account wants'],
  ] as const) {
    const { text, html } = await app.mail.mailTo(to, { kind })
    expect(text).toContain(words)
    expect(`${text} ${html}`.toLowerCase()).not.toContain(name)
  }
})

test("is never revealed to the customer whose address somebody else's account claims", async ({ app }) => {
  await member(app, { email: 'customer@people.example' })
  const form = { username: 'call-0800-123456', email: 'customer@people.example', password }
  expect((await app.visitor().send('POST', '/api/auth/register', form)).status).toBe(200)
  const { text, html } = await app.mail.mailTo('customer@people.example', { kind: 'address-taken' })
  expect(text).toContain('The owner of another account tried to use this address. It belongs to your account customer')
  expect(text + html).not.toContain('0800')
})

test('is left out of emails to strangers if it says more than a name does, or has a phone number', async ({ app }) => {
  const call = [
    'Refund-499-USD-call-1-888-555-0100',
    'call-1-888-555-0100',
    '١-٨٨٨-٥٥٥-٠١٠٠',
    'ⅰ-⑧⑧⑧-⑤⑤⑤',
    '1-800-GET-CASH',
    '1800-GET-CASH',
    'I-8OO-GET-CASH',
  ]
  for (const [at, username] of call.entries()) {
    const to = `stranger${at}@elsewhere.example`
    expect(await app.visitor().send('POST', '/api/auth/register', { username, email: to, password })).toMatchObject({ status: 200 })
    const { text, html } = await app.mail.mailTo(to, { kind: 'confirm-address' })
    expect(text).toContain('A Ranklark account uses this email address.')
    expect(text + html).not.toContain(username)
  }
})

test('is left out of a list of accounts if their names together contain a phone number', async ({ app }) => {
  const email = 'listed@elsewhere.example'
  for (const username of ['Refund-call-1', 'then-88', 'then-8555', 'then-0100', 'at-once'])
    expect(await app.visitor().send('POST', '/api/auth/register', { username, email, password })).toMatchObject({ status: 200 })
  await app.visitor().send('POST', '/api/auth/forgot-password', { email })
  const { text } = await app.mail.mailTo(email, { kind: 'reset-password' })
  expect(text).toContain('at-once: choose a new password')
  expect(text.match(/An account whose name isn't shown here: choose a new password/g)).toHaveLength(4)
  expect(text).not.toMatch(/call-|then-/)
})

test('is left out of a list of accounts if their names together are long enough for a message', async ({ app }) => {
  const email = 'told@elsewhere.example'
  for (const username of ['Your-search-data-leaked', 'write-to-Telegram-user', 'secdesk-within-one-day'])
    expect(await app.visitor().send('POST', '/api/auth/register', { username, email, password })).toMatchObject({ status: 200 })
  await app.visitor().send('POST', '/api/auth/forgot-password', { email })
  const { text } = await app.mail.mailTo(email, { kind: 'reset-password' })
  expect(text.match(/An account whose name isn't shown here: choose a new password/g)).toHaveLength(3)
  expect(text).not.toMatch(/Telegram|leaked|secdesk/)
})

test('is shown to strangers as long as it is just a name', async ({ app }) => {
  for (const [at, username] of ['anna.lindqvist1987', 'katharina-oberhauser', '24seven-seo', 'agency-2026', '田中さくら'].entries()) {
    const to = `known${at}@elsewhere.example`
    expect(await app.visitor().send('POST', '/api/auth/register', { username, email: to, password })).toMatchObject({ status: 200 })
    expect((await app.mail.mailTo(to, { kind: 'confirm-address' })).text).toContain(`The Ranklark account ${username} uses`)
  }
})
