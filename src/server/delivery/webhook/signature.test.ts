import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { readWebhookDestination, webhookDestinationText } from './destination.ts'
import { newSecret, signatureHeaders } from './signature.ts'

test('a secret is 32 random bytes', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  expect(newSecret()).not.toBe(secret)
})

test("the reference libraries' example has the same signature", () => {
  // From github.com/standard-webhooks/standard-webhooks, its libraries' test vector.
  const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1614265330_000), body: '{"test": 2432232314}' }
  expect(signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signed)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('it covers the ID, the timestamp and the bytes', () => {
  const secret = newSecret()
  const headers = signatureHeaders(secret, { id: 'a', at: new Date(1500), body: 'ö' })
  const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update('a.1.ö', 'utf8')
    .digest('base64')
  expect(headers).toEqual({ 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': `v1,${expected}` })
})

test('a destination is stored and read back', () => {
  const destination = { url: 'https://example.com/hook', secret: newSecret() }
  expect(readWebhookDestination(webhookDestinationText(destination))).toEqual(destination)
  for (const text of ['', 'null', '{}', '{"url":"ftp://x","secret":"whsec_x"}', JSON.stringify({ ...destination, secret: 'whsec_' })])
    expect(readWebhookDestination(text)).toBeNull()
})
