import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SmsStandIn, startSms } from '../../../../emulators/sms/server.ts'
import { createSmsControl, type SmsControl } from '../../../../test/support/message-controls.ts'
import { parseConfig } from '../../config.ts'
import { alertsOf, anEnvelope, anItem } from '../../../../test/support/messages.ts'
import { createSmsChannel } from './sms.ts'
import { createSmsClient } from './sms-client.ts'

const number = '+442079460000'
let standIn: SmsStandIn
let sms: SmsControl

beforeAll(async () => {
  standIn = await startSms()
  sms = createSmsControl(standIn.url)
})
afterAll(() => standIn.close())
beforeEach(() => sms.reset())

function clientOf(changes: Record<string, string> = {}) {
  const { sms: config } = parseConfig({
    TWILIO_ACCOUNT_SID: standIn.accountSid,
    TWILIO_AUTH_TOKEN: standIn.authToken,
    TWILIO_FROM: standIn.number,
    TWILIO_API_URL: standIn.url,
    ...changes,
  })
  if (config === undefined) throw new Error('There is no SMS')
  return createSmsClient(config)
}
const send = (body = 'Clicks fell & more + ö', to = number, changes: Record<string, string> = {}) =>
  clientOf(changes).sendText({ to, body, signal: new AbortController().signal })

describe('a text message', () => {
  test('is accepted, and has an ID at the provider', async () => {
    const outcome = await send()
    const { sid, to, from, body } = await sms.messageTo(number)
    expect(outcome).toEqual({ outcome: 'sent', reference: sid })
    expect({ to, from, body }).toEqual({ to: number, from: standIn.number, body: 'Clicks fell & more + ö' })
  })

  test('is sent through a messaging service if one is configured', async () => {
    expect(await send(undefined, number, { TWILIO_FROM: standIn.messagingServiceSid })).toMatchObject({ outcome: 'sent' })
    expect(await sms.messageTo(number)).toMatchObject({ from: null })
  })

  test('is never longer than 1,600 characters', async () => {
    expect(await send('💡'.repeat(2000))).toMatchObject({ outcome: 'sent' })
    expect([...(await sms.messageTo(number)).body]).toHaveLength(1600)
  })

  test('with an unreadable response counts as accepted', async () => {
    await sms.fail({ status: 201, body: '{"sid":', executed: true })
    expect(await send()).toEqual({ outcome: 'sent' })
  })
})

describe("the number can't be reached", () => {
  test.each([
    ['+15005550001', 21211, "This isn't a valid phone number."],
    ['+15005550002', 21612, "Our number can't send messages to this number"],
    ['+15005550003', 21408, "doesn't send text messages to this country"],
    ['+15005550009', 21614, "This isn't a mobile number."],
    ['12', 21211, "This isn't a valid phone number."],
  ])('%s (%i): %s', async (to, code, says) => {
    const outcome = await send(undefined, to)
    expect(outcome).toMatchObject({ outcome: 'refused', disables: true, reason: expect.stringContaining(says) })
    expect(outcome).toMatchObject({ reason: expect.stringContaining(`(${code})`) })
  })

  test('its owner replied STOP, then START', async () => {
    const reply = (body: string) => sms.call('POST', '_control/reply', { from: number, body })
    await reply('STOP')
    expect(await send()).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining('replied STOP. To get messages again, text START'),
      disables: true,
    })
    await reply('START')
    expect(await send()).toMatchObject({ outcome: 'sent' })
  })

  test.each([21214, 21217, 21265, 21266, 21635])("%i, in Twilio's words", async (code) => {
    await sms.fail({ status: 400, body: JSON.stringify({ code, message: `not ${number}`, status: 400 }) })
    const outcome = await send()
    expect(outcome).toMatchObject({ outcome: 'refused', disables: true, reason: expect.stringContaining(`(${code})`) })
    expect(JSON.stringify(outcome)).not.toContain(number)
  })
})

describe("the installation's Twilio account has a problem", () => {
  const atFault = (code: number) => ({
    outcome: 'later',
    reason: `The problem is this installation's SMS account, not your number. Tell your administrator (${code}).`,
  })

  test.each([
    ['a wrong token', { TWILIO_AUTH_TOKEN: 'wrong' }, 20003],
    ['a sender that cannot send', { TWILIO_FROM: '+15005550001' }, 21212],
    ["somebody else's sender", { TWILIO_FROM: '+15005550007' }, 21606],
    ['something that is not a messaging service', { TWILIO_FROM: `MG${'f'.repeat(32)}` }, 21705],
  ])('%s: retried', async (_what, changes, code) => {
    expect(await send(undefined, number, changes)).toEqual(atFault(code))
  })

  test('a trial account: retried', async () => {
    await sms.call('PUT', '_control/account', { trial: true })
    expect(await send()).toEqual(atFault(21608))
  })

  test.each([20005, 21603, 21659, 21660, 21661, 21703, 21704])('%i: retried', async (code) => {
    await sms.fail({ status: 400, body: JSON.stringify({ code }) })
    expect(await send()).toEqual(atFault(code))
  })

  test('401 without a code: retried', async () => {
    await sms.fail({ status: 401, body: 'no' })
    expect(await send()).toEqual(atFault(401))
  })
})

describe('a temporary failure', () => {
  test('too many requests: retried after Retry-After', async () => {
    await sms.fail({ code: 20429, retryAfter: 12 })
    expect(await send()).toEqual({
      outcome: 'later',
      reason: "The SMS service isn't accepting more messages right now (20429).",
      retryAfterMs: 12_000,
    })
  })

  test('queue full: retried', async () => {
    expect(await send(undefined, number, { TWILIO_FROM: '+15005550008' })).toMatchObject({
      outcome: 'later',
      reason: expect.stringContaining('21611'),
    })
  })

  test.each([
    [{ code: 20500 }, "The SMS service couldn't accept the message (20500)."],
    [{ code: 20503, retryAfter: 3 }, "The SMS service couldn't accept the message (20503)."],
    [{ status: 502, body: '<html>' }, "The SMS service couldn't accept the message (502)."],
    [{ status: 408 }, "The SMS service couldn't accept the message (408)."],
    [{ redirect: 'https://example.com/' }, "The SMS service couldn't accept the message (307)."],
    [{ connectionReset: true }, 'The SMS service dropped the connection.'],
  ])('%j: retried', async (fault, reason) => {
    await sms.fail(fault)
    expect(await send()).toEqual({ outcome: 'later', reason, ...('retryAfter' in fault && { retryAfterMs: 3000 }) })
    expect(await sms.messages()).toEqual([])
  })
})

test('refused for another reason: given up, but the number stays enabled', async () => {
  expect(await send('')).toEqual({ outcome: 'refused', reason: 'The SMS service rejected the message (21602).', disables: false })
})

test('no error reveals a credential or the number', async () => {
  const outcomes = []
  for (const body of [standIn.authToken, number, '']) {
    await sms.fail({ status: 400, body })
    outcomes.push(await send())
  }
  for (const secret of [standIn.authToken, standIn.accountSid, number]) expect(JSON.stringify(outcomes)).not.toContain(secret)
})

describe('the channel', () => {
  const signal = new AbortController().signal

  test('sends critical alerts', async () => {
    const sent = await createSmsChannel(clientOf().sendText).send(anEnvelope(alertsOf([anItem()]), { destination: number }), signal)
    expect(sent).toMatchObject({ outcome: 'sent' })
    expect((await sms.messageTo(number)).body).toContain('https://ranklark.example/alerts/12')
  })

  test('sends nothing about others, and nothing on an installation without SMS', async () => {
    const others = anEnvelope(alertsOf([anItem({ severity: 'warning' })]), { destination: number })
    expect(await createSmsChannel(clientOf().sendText).send(others, signal)).toMatchObject({ outcome: 'refused', disables: false })
    expect(await createSmsChannel(null).send(others, signal)).toMatchObject({ outcome: 'refused', disables: false })
    expect(await sms.messages()).toEqual([])
  })
})
