import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { member } from '../../../../test/support/people.ts'

// An installation with neither a mail server nor an SMS provider.

const path = '/api/delivery-channels'
const noSms = "This installation has no SMS provider, so it can't send text messages. Ask your administrator to set one up."
const noMail = "This installation can't send email. Your administrator can turn email on with SMTP_URL and MAIL_FROM."

const env = { TWILIO_ACCOUNT_SID: '', TWILIO_AUTH_TOKEN: '', TWILIO_FROM: '', SMTP_URL: '', MAIL_FROM: '' }

const test = appTest({ today: '2026-03-18', demo: false, env }).extend('person', { scope: 'file' }, ({ app }) =>
  member(app, { email: 'ann@example.test', plan: 'agency' }),
)

test('the channels say why they are unavailable, whatever the plan', async ({ app, person }) => {
  expect((await person.get(path)).body).toMatchObject({
    email: { locked: noMail, to: 'ann@example.test' },
    slack: { locked: null },
    sms: { locked: noSms },
    webhook: { locked: null },
  })
  const onFree = await member(app, { email: 'free@example.test' })
  expect((await onFree.get(path)).body).toMatchObject({ sms: { locked: noSms } })
})

test('text messages can be turned off, but not on', async ({ person }) => {
  const refusal = { status: 409, body: { message: noSms, field: 'smsEnabled' } }
  expect(await person.send('POST', '/api/delivery-settings', { smsEnabled: true })).toMatchObject(refusal)
  expect((await person.send('POST', '/api/delivery-settings', { smsEnabled: false })).status).toBe(201)
  expect(await person.send('PATCH', '/api/delivery-settings', { smsEnabled: true })).toMatchObject(refusal)
})

test('text messages that were on are suspended', async ({ app, person }) => {
  const { sql } = await app.stores()
  await sql('UPDATE delivery_settings SET sms_enabled = true')
  expect((await person.get('/api/delivery-settings')).body).toMatchObject({ smsEnabled: false })
})

test('no test message is sent', async ({ person }) => {
  for (const route of [`${path}/email/test`, '/api/alerts/test-email'])
    expect(await person.send('POST', route)).toMatchObject({ status: 409, body: { message: noMail } })
  expect(await person.send('POST', `${path}/sms/test`)).toMatchObject({ status: 409, body: { message: noSms } })
})

test('no code or confirmation email is promised', async ({ app, person }) => {
  expect((await app.visitor().get('/api/auth/session')).body).toMatchObject({ mail: false })
  const refusal = { status: 409, body: { message: noMail } }
  expect(await app.visitor().send('POST', '/api/auth/forgot-password', { email: 'ann@example.test' })).toMatchObject(refusal)
  expect(await person.send('POST', '/api/auth/verify-email/send')).toMatchObject(refusal)
  expect(await person.send('PUT', `${path}/sms`, { number: '+442079460000' })).toMatchObject({ status: 409, body: { message: noSms } })
  expect(await person.send('PUT', `${path}/email`, { address: 'team@example.test' })).toMatchObject({
    status: 409,
    body: { message: noMail },
  })
  expect((await person.send('PUT', `${path}/email`, { address: null })).status).toBe(200)
})
