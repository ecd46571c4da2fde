import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SmtpStandIn, startSmtp } from '../../../../emulators/smtp/server.ts'
import { createMailControl, type MailControl } from '../../../../test/support/mail-control.ts'
import { alertsOf, messageItem, section } from '../../../../test/support/message-items.ts'
import type { Channel, Envelope, Outcome } from '../channels/channel.ts'
import { createEmailChannel } from './email.ts'

const from = 'Ranklark <no-reply@ranklark.example>'
const address = 'ann@people.example'
let smtp: SmtpStandIn
let post: MailControl
let channel: Channel

beforeAll(async () => {
  smtp = await startSmtp()
  post = createMailControl(smtp.url)
  channel = channelOf({ smtpUrl: smtp.smtpUrl, from })
})
afterAll(() => smtp.close())
beforeEach(() => post.reset())

const channelOf = (mail: { smtpUrl: string; from: string } | undefined): Channel =>
  createEmailChannel({
    mail,
    unsubscribe: (userId, to) => ({
      page: `https://rank.example/unsubscribe?token=${userId}.${encodeURIComponent(to)}`,
      oneClick: `https://rank.example/api/unsubscribe?token=${userId}.${encodeURIComponent(to)}`,
    }),
    verdict: ({ userId }, { alertId }, verdict) => `https://rank.example/alert-verdict?say=${verdict}&token=${userId}.${alertId}`,
  })

const envelope = (changes: Partial<Envelope> = {}): Envelope => ({
  key: '5f0c7a52-0000-4000-8000-000000000001',
  message: alertsOf([messageItem({ alertId: '7' })]),
  destination: address,
  extra: null,
  person: { id: 'u-1', username: 'ann', timeZone: 'UTC' },
  baseUrl: 'https://rank.example',
  writtenAt: new Date('2026-11-12T06:30:00Z'),
  ...changes,
})
const send = (changes: Partial<Envelope> = {}, by = channel): Promise<Outcome> => by.send(envelope(changes), new AbortController().signal)

test('an alert arrives complete: both parts, sender, date, Message-ID and one-click unsubscribe', async () => {
  expect(await send()).toEqual({ outcome: 'sent', reference: expect.stringMatching(/^250 /) })
  const [mail, ...others] = await post.mails(address)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    subject: 'Clicks dropped 45.2% across the site · example.com',
    kind: 'alerts',
    messageId: '<5f0c7a52-0000-4000-8000-000000000001@ranklark.example>',
  })
  expect(mail?.text).toContain('Clicks fell from 1,204 to 660 (−45.2%), 3–9 Nov vs 27 Oct–2 Nov.')
  expect(mail?.html).toContain('href="https://rank.example/alerts/7"')
  expect(mail?.header('from')).toBe(from)
  expect(mail?.header('to')).toBe(address)
  expect(mail?.header('date')).toBe('Thu, 12 Nov 2026 06:30:00 +0000')
  expect(mail?.header('auto-submitted')).toBe('auto-generated')
  // RFC 8058: both headers, and a URL that needs nothing else.
  expect(mail?.header('list-unsubscribe')).toBe('<https://rank.example/api/unsubscribe?token=u-1.ann%40people.example>')
  expect(mail?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(mail?.header('list-id')).toBe('Ranklark alerts <alerts.ranklark.example>')
  expect(mail?.links).toContain('https://rank.example/unsubscribe?token=u-1.ann%40people.example')
})

test.each<[Envelope['message'], string]>([
  [{ kind: 'digest', frequency: 'weekly', properties: [section('sc-domain:example.com')] }, 'Your weekly digest: all quiet on 1 property'],
  [{ kind: 'test', property: null }, 'Test email from Ranklark'],
])('$kind', async (message, subject) => {
  expect(await send({ message })).toMatchObject({ outcome: 'sent' })
  const [mail] = await post.mails(address)
  expect(mail).toMatchObject({ subject, kind: message.kind })
  expect(mail?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
})

test("names can't add headers or recipients", async () => {
  const name = 'x\r\nBcc: eve@people.example\r\n\r\n<script>'
  const message = alertsOf([messageItem({ about: { entity: { kind: 'query', name } } })], name)
  expect(await send({ message, person: { id: 'u-1', username: name, timeZone: 'UTC' } })).toMatchObject({ outcome: 'sent' })
  const [mail] = await post.mails(address)
  expect(mail?.subject).toBe('Clicks dropped 45.2%: “x Bcc: eve@people.example <script>” · x Bcc: eve@people.example <script>')
  expect(mail?.header('bcc')).toBeUndefined()
  expect(await post.mails('eve@people.example')).toEqual([])
})

describe('a temporary failure is retried', () => {
  test.each([
    ['recipient451', '451 4.7.1 Greylisted, try again later'],
    ['message451', '451 4.3.0 Could not store the message, try again later'],
    ['busy421', '421 4.3.2 Service not available, try again later'],
    ['sender550', '550 5.7.1 Sender rejected'],
  ])('%s', async (error, said) => {
    await post.fail({ error })
    expect(await send()).toEqual({ outcome: 'later', reason: `The mail server can't accept email right now (${said}).` })
    expect(await send()).toMatchObject({ outcome: 'sent' })
  })

  test('the connection breaks while the email is being sent', async () => {
    await post.fail({ error: 'reset' })
    expect(await send()).toEqual({ outcome: 'later', reason: 'The mail server could not be reached.' })
  })

  test('the mail server is down; network details stay internal', async () => {
    await post.setListening(false)
    expect(await send()).toEqual({ outcome: 'later', reason: 'The mail server could not be reached.' })
  })

  test('with the same Message-ID and date', async () => {
    await post.fail({ error: 'message451' })
    await send()
    await send()
    const ids = (await post.attempts()).map(({ messageId }) => messageId)
    expect(ids).toEqual(Array.from({ length: 2 }, () => '<5f0c7a52-0000-4000-8000-000000000001@ranklark.example>'))
    expect((await post.mails(address))[0]?.header('date')).toBe('Thu, 12 Nov 2026 06:30:00 +0000')
  })

  test('it was aborted', async () => {
    const calledOff = AbortSignal.abort()
    expect(await channel.send(envelope(), calledOff)).toMatchObject({ outcome: 'later' })
    expect(await post.mails(address)).toEqual([])
  })
})

describe('a permanent failure', () => {
  test('an unknown address: nothing more is sent there, and the owner sees what to do', async () => {
    await post.fail({ error: 'recipient550' })
    expect(await send()).toEqual({
      outcome: 'refused',
      disables: true,
      reason:
        'The mail server at people.example rejects this address (550 5.1.1 No such user here). Enter another address in Alert Settings.',
    })
  })

  test('a refused email: the next one may be accepted', async () => {
    await post.fail({ error: 'message554' })
    const reason = 'The mail server rejected this email (554 5.7.1 Message refused).'
    expect(await send()).toEqual({ outcome: 'refused', disables: false, reason })
  })

  test.each(['ann@people.example, eve@people.example', 'Ann <ann@people.example>', 'ann@people.example\r\nBcc: eve@people.example', 'ann'])(
    'an invalid address: %j',
    async (destination) => {
      const reason = "This isn't a valid email address. Enter another address in Alert Settings."
      expect(await send({ destination })).toEqual({ outcome: 'refused', disables: true, reason })
      expect(await post.attempts()).toEqual([])
    },
  )

  test('the reason stays short, however long the domain name', async () => {
    await post.fail({ error: 'recipient550' })
    const outcome = await send({ destination: `ann@${'a'.repeat(60)}.${'b'.repeat(60)}.example` })
    expect(outcome.outcome === 'refused' && outcome.reason.length).toBeLessThanOrEqual(300)
  })
})

test('without a mail server, the error says what is missing', async () => {
  expect(await send({}, channelOf(undefined))).toEqual({
    outcome: 'later',
    reason: "This installation can't send email. Your administrator can turn email on with SMTP_URL and MAIL_FROM.",
  })
})
