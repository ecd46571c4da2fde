import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, registered } from '../../../test/support/people.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { support, type SupportMessage } from '../../contract/support.ts'

const site = 'https://asks.example/'
const helper = 'help@agency.example'

const test = appTest({ today: '2026-03-18', demo: false, env: { SUPPORT_EMAIL: helper } }).extend('owner', { scope: 'file' }, ({ app }) =>
  ownerAtOnce(app, site, { days: 5, email: 'owner@example.test' }),
)
test.beforeEach(({ app }) => app.mail.reset())

const message = (change: Partial<SupportMessage> = {}) => ({
  subject: 'No alert came',
  message: 'Clicks fell by half on Monday.\r\n\r\nNothing arrived.',
  diagnostics: ['plan', 'freshness'],
  ...change,
})
const offer = async (who: Visitor, query = '') => support.parse((await who.get(`/api/support${query}`)).body)

test.for([
  ['free', 'within 5 business days'],
  ['pro', 'within 2 business days'],
  ['agency', 'within 1 business day'],
] as const)('on %s an answer is promised %s', async ([plan, answered], { app }) => {
  const person = await newPerson(app, { email: `${plan}@example.test`, plan: plan as 'free' })
  expect(await offer(person)).toMatchObject({ problem: null, answered, email: `${plan}@example.test` })
})

test('the user sees all account details that would be sent', async ({ owner }) => {
  const { diagnostics } = await offer(owner, `?property=${encodeURIComponent(site)}`)
  expect(Object.fromEntries(diagnostics.map(({ id, value }) => [id, value]))).toMatchObject({
    plan: 'Free',
    sites: '1 of 1 monitored, 1 in total',
    property: site,
    freshness: expect.stringMatching(/^connected, complete through 2026-03-\d\d$/) as string,
    alerts: '0',
    version: expect.stringMatching(/^Ranklark \d/) as string,
  })
})

test('a message goes to support, who reply to the user, with only what was checked; the user gets a copy', async ({ app, owner }) => {
  expect((await owner.send('POST', '/api/support', message())).status).toBe(202)
  const asked = await app.mail.mailTo(helper)
  expect(asked).toMatchObject({ kind: 'support-request', subject: 'Support: No alert came' })
  expect(asked.header('reply-to')).toBe('owner@example.test')
  expect(asked.text).toContain('Clicks fell by half on Monday.')
  expect(asked.text).toContain('complete through')
  expect(asked.text).not.toContain(site)
  expect(asked.text).toContain('This address is confirmed.')
  const copy = await app.mail.mailTo('owner@example.test')
  expect(copy).toMatchObject({ kind: 'support-received', subject: 'We received your message: No alert came' })
  expect(copy.text).toContain('within 5 business days')
  expect(copy.text).toContain('Nothing arrived.')
})

test('typed text is never mailed to an unconfirmed address', async ({ app, owner }) => {
  const claimant = await registered(app, 'claimant')
  const { sql } = await app.stores()
  const queuedEmails = async () => (await sql(`SELECT id FROM jobs.job WHERE name LIKE 'mail%'`)).length
  const before = await queuedEmails()
  expect(await offer(claimant)).toMatchObject({ email: 'claimant@example.test', copied: false })
  expect((await claimant.send('POST', '/api/support', message())).status).toBe(202)
  // Asking for help under somebody else's address doesn't make one that person.
  const asked = await app.mail.mailTo(helper)
  expect(asked.header('reply-to')).toBe('claimant@example.test')
  expect(asked.text).toContain("This address isn't confirmed")
  expect(await queuedEmails()).toBe(before + 1)
  expect(await offer(owner)).toMatchObject({ copied: true })
})

test('typed text adds no header and no markup', async ({ app, owner }) => {
  const hostile = { subject: 'Hello\r\nBcc: everybody@example.test', message: '<img src=x onerror=alert(1)> & <b>more</b>' }
  expect((await owner.send('POST', '/api/support', message(hostile))).status).toBe(202)
  const asked = await app.mail.mailTo(helper)
  expect(asked.subject).toBe('Support: Hello Bcc: everybody@example.test')
  expect(asked.header('bcc')).toBeUndefined()
  expect(asked.html).not.toContain('<img src=x')
  expect(asked.html).not.toContain('<b>more')
  expect((await app.mail.mails('everybody@example.test')).length).toBe(0)
})

test.for([
  [{ subject: ' ' }, 'subject'],
  [{ subject: 'x'.repeat(121) }, 'subject'],
  [{ message: 'short' }, 'message'],
  [{ message: 'x'.repeat(10_001) }, 'message'],
] as const)('%j is refused at its field', async ([change, field], { owner }) => {
  expect(await owner.send('POST', '/api/support', message(change))).toMatchObject({ status: 400, body: { field } })
})

test("reveals nothing about somebody else's property", async ({ app, owner }) => {
  const stranger = await newPerson(app, { email: 'stranger@example.test' })
  expect((await owner.get(`/api/support?property=${encodeURIComponent(site)}`)).status).toBe(200)
  expect((await stranger.get(`/api/support?property=${encodeURIComponent(site)}`)).status).toBe(404)
  expect((await stranger.send('POST', '/api/support', message({ property: site }))).status).toBe(404)
})

test('five messages an hour, then it says when to try again', async ({ app }) => {
  const person = await newPerson(app, { email: 'eager@example.test' })
  for (let sent = 0; sent < 5; sent += 1) expect((await person.send('POST', '/api/support', message())).status).toBe(202)
  const answer = await person.send('POST', '/api/support', message())
  expect(answer).toMatchObject({ status: 429, body: { message: expect.stringContaining('Please try again in') as string } })
})
