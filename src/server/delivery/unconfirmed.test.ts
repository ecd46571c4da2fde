import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { fallenSite } from '../../../test/support/falling-site.ts'
import { runJob } from '../../../test/support/jobs.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alertReport, alerts } from '../../contract/alerts/alerts.ts'
import { deliveryChannels } from '../../contract/delivery/channels.ts'
import type { DeliverySettingsChange } from '../../contract/delivery/delivery.ts'

// Alert emails only go to confirmed addresses; announcements wait for that.

const today = '2026-03-18'
const dayMs = 24 * 3_600_000
const emailOf = async (owner: Visitor) => deliveryChannels.parse((await owner.get('/api/delivery-channels')).body).email
let people = 0

const test = appTest({ today, demo: false, logLevel: 'silent' }).extend('desk', { scope: 'file' }, ({ app }) => {
  const deliver = () => runJob(app, 'delivery-due')
  const received = async (to: string) => (await app.mail.mails(to)).filter(({ kind }) => kind === 'alerts' || kind === 'digest')
  const sql = async (text: string, values: unknown[]) => (await app.stores()).sql(text, values)

  /** Somebody with two alerts and an unconfirmed address. */
  async function unconfirmed(settings: DeliverySettingsChange) {
    const name = `unconfirmed${++people}`
    return fallenSite(app, name, {
      plan: 'agency',
      async prepare(person) {
        await sql('UPDATE users SET email_verified = false WHERE email = $1', [`${name}@example.test`])
        await person.send('POST', '/api/delivery-settings', settings)
      },
    })
  }

  async function confirm(owner: Visitor, email: string): Promise<void> {
    expect((await owner.send('POST', '/api/auth/verify-email/send')).status).toBe(202)
    const [link = ''] = (await app.mail.mailTo(email, { kind: 'confirm-address' })).links
    const token = new URL(link).searchParams.get('token')
    expect((await owner.send('POST', '/api/auth/verify-email', { token })).status).toBe(200)
  }
  return { deliver, received, unconfirmed, confirm }
})
test.beforeEach(async ({ app }) => {
  app.google.setNow(today)
  await app.mail.reset()
})

test('alerts wait until the address is confirmed, which the app says, and then arrive together', async ({
  app,
  desk: { deliver, received, unconfirmed, confirm },
}) => {
  const { owner, email } = await unconfirmed({ frequency: 'instant' })
  await deliver()
  app.google.advance(dayMs)
  await deliver()
  expect(await received(email)).toEqual([])
  expect(await emailOf(owner)).toMatchObject({ to: email, problem: null, unconfirmed: { alerts: 2 } })
  const [first] = alerts.parse((await owner.get('/api/alerts')).body)
  expect(alertReport.parse((await owner.get(`/api/alerts/${first!.id}`)).body).deliveries).toMatchObject([
    { channel: 'email', state: 'waiting', to: email, detail: expect.stringContaining(`${email} isn't confirmed yet.`) },
  ])

  await confirm(owner, email)
  await deliver()
  const [mail, ...others] = await received(email)
  expect(others).toEqual([])
  expect(mail!.text).toContain('80.0%')
  expect(mail!.text).toContain('25.0%')
  expect(await emailOf(owner)).toMatchObject({ to: email, unconfirmed: null })
})

test(
  'no digest is sent before that; the first one afterwards covers everything',
  { tags: ['full'] },
  async ({ app, desk: { deliver, received, unconfirmed, confirm } }) => {
    const { owner, email } = await unconfirmed({ frequency: 'daily' })
    app.google.advance(2 * dayMs)
    await deliver()
    expect(await received(email)).toEqual([])
    expect(await emailOf(owner)).toMatchObject({ unconfirmed: { alerts: 2 } })
    await confirm(owner, email)
    app.google.advance(dayMs)
    await deliver()
    const [digest, ...others] = await received(email)
    expect(others).toEqual([])
    expect(digest).toMatchObject({ kind: 'digest', text: expect.stringContaining('80.0%') })
  },
)

test(
  'no test is sent before that either; another confirmed address works by itself',
  { tags: ['full'] },
  async ({ app, desk: { deliver, received, unconfirmed } }) => {
    const { owner, email } = await unconfirmed({ frequency: 'instant' })
    const message = `${email} isn't confirmed yet. Open the link in the email we sent there. Alert emails are held until then.`
    for (const path of ['/api/alerts/test-email', '/api/delivery-channels/email/test'])
      expect(await owner.send('POST', path)).toMatchObject({ status: 409, body: { message } })

    const team = `team.${email}`
    // Chosen by an earlier version: today only an account with a confirmed address can ask another one.
    expect(await owner.send('PUT', '/api/delivery-channels/email', { address: team })).toMatchObject({ status: 403 })
    const { sql } = await app.stores()
    await sql('UPDATE users SET email_verified = true WHERE email = $1', [email])
    await owner.send('PUT', '/api/delivery-channels/email', { address: team })
    const [link = ''] = (await app.mail.mailTo(team, { kind: 'confirm-delivery-address' })).links
    await owner.send('POST', '/api/delivery-channels/email/confirm', { token: new URL(link).searchParams.get('token') })
    await sql('UPDATE users SET email_verified = false WHERE email = $1', [email])
    await deliver()
    expect(await received(team)).toHaveLength(1)
    expect(await emailOf(owner)).toMatchObject({ to: team, unconfirmed: null })
    expect(await received(email)).toEqual([])
  },
)

test(
  'alerts that waited for a month are no longer emailed',
  { tags: ['full'] },
  async ({ app, desk: { deliver, received, unconfirmed, confirm } }) => {
    const { owner, email } = await unconfirmed({ frequency: 'instant' })
    app.google.advance(31 * dayMs)
    await runJob(app, 'delivery-sweep')
    expect(await emailOf(owner)).toMatchObject({ unconfirmed: { alerts: 0 } })
    await confirm(owner, email)
    await deliver()
    expect(await received(email)).toEqual([])
  },
)
