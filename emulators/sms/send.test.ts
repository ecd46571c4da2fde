import { expect, test } from 'vitest'
import { openBench, TO } from './testing.ts'

test('accepts a message and returns the resource', async () => {
  const { sms, account, send, get } = await openBench()
  const { status, headers, body } = await send({ Body: 'Clicks fell by 32 %' })
  expect(status).toBe(201)
  expect(headers.get('twilio-request-id')).toMatch(/^RQ[0-9a-f]{32}$/)
  const uri = `${account}/Messages/${String(body['sid'])}.json`
  expect(body).toEqual({
    account_sid: sms.accountSid,
    api_version: '2010-04-01',
    body: 'Clicks fell by 32 %',
    date_created: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000$/),
    date_sent: null,
    date_updated: expect.stringMatching(/\+0000$/),
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: '+15005550006',
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: 'USD',
    sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
    status: 'queued',
    subresource_uris: { media: uri.replace('.json', '/Media.json') },
    to: TO,
    uri,
  })
  expect((await get(`/Messages/${String(body['sid'])}.json`)).body).toEqual(body)
})

test('a messaging service selects the sender later', async () => {
  const { sms, send, get, control } = await openBench()
  const { body } = await send({ From: '', MessagingServiceSid: sms.messagingServiceSid })
  expect(body).toMatchObject({ status: 'accepted', from: null, num_segments: '0', messaging_service_sid: sms.messagingServiceSid })
  await control('POST', 'deliver')
  const later = await get(`/Messages/${String(body['sid'])}.json`)
  expect(later.body).toMatchObject({ status: 'delivered', from: sms.number, num_segments: '1' })
})

const REFUSED: [string, Record<string, string>, number, number, string][] = [
  ['no recipient', { To: '' }, 400, 21604, "A 'To' phone number is required."],
  ['no sender', { From: '' }, 400, 21603, "A 'From' phone number is required."],
  ['no text', { Body: '' }, 400, 21602, 'Message body is required.'],
  ['a recipient that is no number', { To: '0171 2345' }, 400, 21211, "Invalid 'To' Phone Number: 0171 2345"],
  ['a text too long', { Body: 'a'.repeat(1601) }, 400, 21617, 'The concatenated message body exceeds the 1600 character limit'],
  ['an unknown messaging service', { From: '', MessagingServiceSid: 'MG1' }, 400, 21705, 'The Messaging Service Sid is invalid.'],
  [
    'a sender that is none',
    { From: '+1 (415)' },
    400,
    21212,
    "The 'From' number +1 (415) is not a valid phone number, shortcode, or alphanumeric sender ID.",
  ],
  [
    "somebody else's sender",
    { From: '+14155550199' },
    400,
    21606,
    'The From phone number +14155550199 is not a valid, SMS-capable inbound phone number or short code for your account.',
  ],
  ['a callback that is no address', { StatusCallback: '/sms' }, 400, 21609, "The 'StatusCallback' URL /sms is not a valid URL."],
]

test.each(REFUSED)('refuses %s', async (_name, form, status, code, message) => {
  const { send, control, get } = await openBench()
  const answer = await send(form)
  expect([answer.status, answer.body]).toEqual([status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }])
  expect((await control('GET', 'requests')).last[0]).toMatchObject({ status, problem: String(code) })
  expect((await get('/Messages.json')).body).toMatchObject({ messages: [] })
})

test.each([
  ['To', '+15005550001', 21211],
  ['To', '+15005550002', 21612],
  ['To', '+15005550003', 21408],
  ['To', '+15005550004', 21610],
  ['To', '+15005550009', 21614],
  ['From', '+15005550001', 21212],
  ['From', '+15005550007', 21606],
  ['From', '+15005550008', 21611],
])('Twilio’s magic numbers: %s %s', async (field, number, code) => {
  const { send } = await openBench()
  expect((await send({ [field]: number })).body).toMatchObject({ code })
})

test('1600 characters are accepted, and counted in segments', async () => {
  const { send } = await openBench()
  expect((await send({ Body: 'a'.repeat(1600) })).body).toMatchObject({ num_segments: '11' })
  expect((await send({ Body: '📉 fell' })).body).toMatchObject({ num_segments: '1' })
})

test('a trial account only sends to verified numbers, and says so', async () => {
  const { send, control } = await openBench()
  await control('PUT', 'account', { trial: true, verified: [TO] })
  expect((await send()).body).toMatchObject({ body: 'Sent from your Twilio trial account - Clicks fell' })
  expect((await send({ To: '+14155550101' })).body).toMatchObject({ code: 21608 })
  await control('PUT', 'account', { trial: false })
  expect((await send({ To: '+14155550101' })).status).toBe(201)
})

test('a number can be made to be refused', async () => {
  const { send, control } = await openBench()
  await control('PUT', 'numbers', { number: TO, error: 21614 })
  expect((await send()).body).toMatchObject({ code: 21614, message: `'To' number ${TO} is not a valid mobile number` })
  await control('PUT', 'numbers', { number: TO, error: null })
  expect((await send()).status).toBe(201)
  expect(await control('PUT', 'numbers', { number: TO, error: 5 })).toMatchObject({ error: expect.stringContaining('30003') })
})

test('sending the same message twice sends two, whatever the headers', async () => {
  const { login, send, get } = await openBench()
  const headers = { ...login(), 'I-Twilio-Idempotency-Token': 'one', 'Idempotency-Key': 'one' }
  const [first, second] = [await send({}, { headers }), await send({}, { headers })]
  expect(first.body['sid']).not.toBe(second.body['sid'])
  expect((await get('/Messages.json')).body['messages']).toHaveLength(2)
})
