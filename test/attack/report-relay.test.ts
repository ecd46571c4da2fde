import { describe, expect, onTestFinished, vi } from 'vitest'
import { undoEmailAnswer } from '../../src/contract/account/auth.ts'
import { reportBrand, reportRun, reportSchedule, reportSchedules } from '../../src/contract/reports/reports.ts'
import { addressesAskedADay, reportMailsADay } from '../../src/contract/reports/limits.ts'
import { createUnsubscribeTokens } from '../../src/server/reports/schedules/unsubscribe-routes.ts'
import { deriveKey, loadSecretKeys } from '../../src/server/platform/secrets.ts'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { mailedToken, member, moveTo } from '../support/people.ts'
import { user } from '../../src/contract/user.ts'
import { runJob } from '../support/jobs.ts'
import { ownerAtOnce } from '../support/stored-history.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'

// An account that wants to send mail to people who never asked for it, in the operator's name.

vi.setConfig({ testTimeout: 180_000 })

const site = 'https://first.example/'
const test = appTest({ today: '2026-03-18', demo: false }).extend('attacker', { scope: 'file' }, ({ app }) =>
  ownerAtOnce(app, site, { profile: 'local', days: 18, email: 'attacker@example.test', plan: 'agency' }),
)

const fields = (recipients: string[]) => ({ subject: { property: site }, kind: 'week', paper: 'a4', enabled: true, recipients })
const add = (who: Visitor, ...recipients: string[]) => who.send('POST', '/api/report-schedules', fields(recipients))
const made = async (who: Visitor, ...recipients: string[]) => {
  const { status, body } = await add(who, ...recipients)
  expect([status, body]).toEqual([201, expect.anything()])
  return reportSchedule.parse(body)
}
const sendNow = (who: Visitor, schedule: string) =>
  who.send('POST', '/api/report-runs', { subject: { property: site }, kind: 'week', paper: 'a4', schedule })
async function finished(who: Visitor, schedule: string) {
  const { id } = reportRun.parse((await sendNow(who, schedule)).body)
  const run = await until(
    async () => reportRun.parse((await who.get(`/api/report-runs/${id}`)).body),
    ({ state }) => state === 'done' || state === 'failed',
    150_000,
  )
  expect(run.state).toBe('done')
  return run
}
const problemOf = async (who: Visitor, id: string) =>
  reportSchedules.parse((await who.get('/api/report-schedules')).body).schedules.find((each) => each.id === id)

describe('somebody whose address was entered', () => {
  test('gets one email and no report, until they agree; then their answer applies to all schedules', async ({ app, attacker }) => {
    const [victim, own] = ['victim@bank.example', 'attacker@example.test']
    const reports = async (to: string) => (await app.mail.mails(to)).filter(({ subject }) => subject.startsWith('Weekly report'))
    const { sql } = await app.stores()

    // Nothing is sent on demand, nor when a week is over.
    const schedule = await made(attacker, victim)
    expect(schedule).toMatchObject({ waiting: [victim], nextAt: null, problem: expect.stringContaining('to confirm using the link') })
    expect(await sendNow(attacker, schedule.id)).toMatchObject({ status: 409 })
    await sql(`UPDATE report_schedules SET look_at = $1, first_start = '2026-03-02'`, [app.google.now()])
    await runJob(app, 'report-due')
    expect(await sql('SELECT id FROM report_runs')).toEqual([])

    // The only email names the account, and contains nothing that the account made up.
    const mail = await app.mail.mailTo(victim, { kind: 'confirm-report-recipient' })
    expect(mail.text).toContain('The owner of the Ranklark account attacker wants to email you reports')
    expect(mail.header('from')).not.toContain('Bank')
    await made(attacker, victim)
    expect((await attacker.send('POST', `/api/report-schedules/${schedule.id}/ask`)).status).toBe(409)
    expect(await app.mail.mails(victim)).toHaveLength(1)

    // Mail scanners open every link: that isn't consent.
    const link = mail.links.find((each) => each.includes('/api/report-recipient')) ?? ''
    const looked = await fetch(link)
    expect([looked.status, await looked.text()]).toEqual([200, expect.stringContaining('Send me these reports')])
    expect((await problemOf(attacker, schedule.id))?.waiting).toEqual([victim])
    // Nor do a made-up link, or the unsubscribe link, give consent.
    const token = new URL(link).searchParams.get('token') ?? ''
    const out = mail.links.find((each) => each.includes('/api/report-unsubscribe')) ?? ''
    for (const forged of [`${token}x`, `e30.${token.split('.')[1]}`, new URL(out).searchParams.get('token')])
      expect((await fetch(`${app.url}/api/report-recipient?token=${forged}`, { method: 'POST' })).status).toBe(400)

    // With their consent, reports go there; one's own address needs none.
    expect((await fetch(link, { method: 'POST', headers: { origin: 'null' } })).status).toBe(200)
    expect(await problemOf(attacker, schedule.id)).toMatchObject({ waiting: [], problem: null })
    const both = await made(attacker, victim, own)
    expect(both.waiting).toEqual([])
    expect(await finished(attacker, both.id)).toMatchObject({ recipients: 2 })
    const report = await app.mail.mailTo(victim, { subject: /^Weekly report/ })

    // Unsubscribing applies to every schedule of the account, existing or future.
    const leave = /^<(.+)>$/.exec(report.header('list-unsubscribe') ?? '')?.[1] ?? ''
    expect((await fetch(leave, { method: 'POST' })).status).toBe(200)
    const { schedules } = reportSchedules.parse((await attacker.get('/api/report-schedules')).body)
    expect(schedules.flatMap(({ recipients }) => recipients)).toEqual([own])
    const refused = { status: 409, body: { message: `Victim@Bank.example has unsubscribed from your reports. Remove this address.` } }
    expect(await add(attacker, 'Victim@Bank.example')).toMatchObject(refused)
    expect(await attacker.send('PUT', `/api/report-schedules/${both.id}`, fields(['Victim@Bank.example']))).toMatchObject(refused)
    const before = (await reports(victim)).length
    await sql(`UPDATE report_mails SET state = 'waiting' WHERE address = $1`, [victim])
    await runJob(app, 'report-mails')
    expect(await reports(victim)).toHaveLength(before)
  })

  test("isn't asked by one email after another, nor are hundreds of people", async ({ app, attacker }) => {
    const { sql } = await app.stores()
    const asked = async (to: string) =>
      (await sql<{ asks: number }>('SELECT asks FROM report_recipients WHERE address = $1', [to]))[0]?.asks
    const { id } = await made(attacker, 'often@bank.example')
    for (let day = 0; day < 5; day += 1) {
      await attacker.send('POST', `/api/report-schedules/${id}/ask`)
      await sql(`UPDATE report_recipients SET asked_at = asked_at - interval '25 hours'`)
    }
    expect(await asked('often@bank.example')).toBe(3)

    const many = Array.from({ length: addressesAskedADay + 1 }, (_, at) => `p${at}@bank.example`)
    expect(await add(attacker, ...many)).toMatchObject({ status: 429, body: { field: 'recipients' } })
    expect((await add(attacker, ...many.slice(1))).status).toBe(201)
    expect(await add(attacker, 'one-more@bank.example')).toMatchObject({ status: 429 })
    expect(await asked('one-more@bank.example')).toBeUndefined()
    await sql(`UPDATE report_recipients SET asked_at = asked_at - interval '25 hours'`)
  })
})

test(
  'a thief who agreed to get the reports is not confirmed again by the same link after their owner took the account back',
  { tags: ['full'] },
  async ({ app }) => {
    const [own, next, thief] = ['robbed@example.test', 'next@thief.example', 'thief@thief.example']
    const owner = await ownerAtOnce(app, 'https://robbed.example/', { profile: 'local', days: 18, email: own, plan: 'agency' })
    const about = { ...fields([thief]), subject: { property: 'https://robbed.example/' } }
    const { id } = reportSchedule.parse((await owner.send('POST', '/api/report-schedules', about)).body)
    const agree = async () => {
      const { links } = await app.mail.mailTo(thief, { kind: 'confirm-report-recipient' })
      const link = links.find((each) => each.includes('/api/report-recipient')) ?? ''
      return (await fetch(link, { method: 'POST', headers: { origin: 'null' } })).status
    }
    expect(await agree()).toBe(200)
    expect((await problemOf(owner, id))?.waiting).toEqual([])

    // Whoever has the account moves it to their own address; its owner takes it back with the link in the email to the old one.
    await moveTo(app, owner, next)
    const token = await mailedToken(app, own, 'address-changed')
    const undone = await app.visitor().send('POST', '/api/auth/undo-email', { token })
    expect(undone.status).toBe(200)
    const { token: resets } = undoEmailAnswer.parse(undone.body)
    const password = 'of-the-owner-again'
    expect((await app.visitor().send('POST', '/api/auth/reset-password', { token: resets, password })).status).toBe(204)
    const back = app.visitor()
    await back.send('POST', '/api/auth/login', { username: 'robbed', password })
    expect((await problemOf(back, id))?.waiting).toEqual([thief])

    expect(await agree()).toBe(400)
    expect((await problemOf(back, id))?.waiting).toEqual([thief])
    // Whom the owner asks again may agree to that.
    onTestFinished(() => app.google.setNow('2026-03-18'))
    app.google.setNow('2026-03-19')
    await app.mail.clear()
    expect((await back.send('PUT', `/api/report-schedules/${id}`, about)).status).toBe(200)
    expect((await back.send('POST', `/api/report-schedules/${id}/ask`)).status).toBe(200)
    expect(await agree()).toBe(200)
  },
)

const cannotBeAsked = (address: string) => ({
  message: `We can't send ${address} a confirmation request right now. Remove this address, or try again later.`,
  field: 'recipients',
})

describe('somebody who deletes the account and registers again', () => {
  let senders = 0
  async function sender(app: TestApp) {
    const name = `sender${++senders}`
    const person = await member(app, { email: `${name}@example.test`, password: 'a-good-password', plan: 'agency' })
    const { sql } = await app.stores()
    await sql('UPDATE users SET email_verified = true WHERE email = $1', [`${name}@example.test`])
    await sql(`INSERT INTO properties (user_id, name, kind) SELECT id, $2, 'google' FROM users WHERE email = $1`, [
      `${name}@example.test`,
      site,
    ])
    const remove = async () => {
      const { username } = user.parse((await person.get('/api/user')).body)
      expect((await person.send('DELETE', '/api/user', { username, password: 'a-good-password' })).status).toBe(204)
    }
    return { person, remove, email: `${name}@example.test` }
  }

  test("can't ask people who said no, before or after the account was deleted", { tags: ['full'] }, async ({ app }) => {
    const never = async (to: string) => {
      const mail = await app.mail.mailTo(to, { kind: 'confirm-report-recipient' })
      return mail.links.find((each) => each.includes('/api/report-unsubscribe')) ?? ''
    }
    const [early, late] = ['early@bank.example', 'late@bank.example']
    const first = await sender(app)
    await made(first.person, early, late)
    const links = [await never(early), await never(late)] as const
    expect((await fetch(links[0], { method: 'POST' })).status).toBe(200)
    await first.remove()
    expect((await fetch(links[1], { method: 'POST' })).status).toBe(200)

    const second = await sender(app)
    for (const address of [early, late])
      expect(await add(second.person, address)).toMatchObject({
        status: 409,
        body: cannotBeAsked(address),
      })
    // For ninety days.
    const { sql } = await app.stores()
    await sql(`UPDATE report_asks SET since = since - interval '91 days', refused_at = refused_at - interval '91 days'`)
    await runJob(app, 'report-sweep')
    expect(await sql('SELECT FROM report_asks')).toEqual([])
    expect((await add(second.person, early)).status).toBe(201)
  })

  test(
    "can't ask people who click that they don't want it after the account was deleted, in new emails or old ones",
    { tags: ['full'] },
    async ({ app }) => {
      const [clicks, older] = ['clicks@bank.example', 'older@bank.example']
      const first = await sender(app)
      const { id } = await made(first.person, clicks, older)
      const mail = await app.mail.mailTo(clicks, { kind: 'confirm-report-recipient' })
      const [key] = await loadSecretKeys({ dataDir: app.dataDir })
      const token = createUnsubscribeTokens(deriveKey(key, 'report-unsubscribe')).make({ schedule: Number(id), address: older })
      await first.remove()
      const second = await sender(app)
      const pages = [
        [clicks, mail.links.find((each) => each.includes('/api/report-unsubscribe')) ?? ''],
        [older, `${app.url}/api/report-unsubscribe?token=${token}`],
      ] as const
      for (const [address, page] of pages) {
        const shown = async () => (await (await fetch(page)).text()).replaceAll(/<style>.*<\/style>/g, '')
        expect(await shown()).toContain('<form method="post"><button>Unsubscribe</button></form>')
        expect((await fetch(page, { method: 'POST', headers: { origin: 'null' } })).status).toBe(200)
        expect(await shown()).not.toContain('<button>')
        expect(await add(second.person, address)).toMatchObject({ status: 409 })
      }
    },
  )

  test(
    "can't keep asking somebody who doesn't answer: all accounts' emails count, including those of deleted ones",
    { tags: ['full'] },
    async ({ app }) => {
      const silent = 'silent@bank.example'
      const { sql } = await app.stores()
      for (let account = 0; account < 3; account += 1) {
        const { person, remove } = await sender(app)
        await made(person, silent)
        await remove()
      }
      // Whoever asks isn't told what others did: the text is the same as for an address that refused.
      const refused = { status: 409, body: cannotBeAsked(silent) }
      const { person } = await sender(app)
      expect(await add(person, silent)).toMatchObject(refused)
      await sql(`UPDATE report_asks SET day = day - 1, asks = 10`)
      expect(await add(person, silent)).toMatchObject(refused)

      // Accounts made for it don't keep those that are older than a week from asking, such as the client's own agency.
      const agency = await sender(app)
      const weekAgo = new Date(app.google.now().getTime() - 8 * 24 * 3_600_000)
      const grow = (email: string) => sql('UPDATE users SET created_at = $1, email_verified = true WHERE email = $2', [weekAgo, email])
      await grow(agency.email)
      await made(agency.person, silent)
      await sql(`UPDATE report_asks SET asks = 12, asked_on_day = 5`)
      const another = await sender(app)
      await grow(another.email)
      expect(await add(another.person, silent)).toMatchObject(refused)
      await sql(`UPDATE report_asks SET asked_on_day = 4`)
      await sql('UPDATE users SET email_verified = false WHERE email = $1', [another.email])
      expect(await add(another.person, silent)).toMatchObject(refused)
      await grow(another.email)
      await made(another.person, silent)
      await sql(`UPDATE report_asks SET day = day - 1, asks = 15`)
      const last = await sender(app)
      await grow(last.email)
      expect(await add(last.person, silent)).toMatchObject(refused)
      await until(
        () => app.mail.mails(silent),
        (mails) => mails.length === 5,
      )
    },
  )
})

test('the link in an old email, which names a schedule, ends the reports of its whole account', async ({ app, attacker }) => {
  const address = 'long-ago@bank.example'
  const { id } = await made(attacker, address)
  const other = await made(attacker, address, 'attacker@example.test')
  const [key] = await loadSecretKeys({ dataDir: app.dataDir })
  const token = createUnsubscribeTokens(deriveKey(key, 'report-unsubscribe')).make({ schedule: Number(id), address })
  expect((await fetch(`${app.url}/api/report-unsubscribe?token=${token}`, { method: 'POST' })).status).toBe(200)
  expect((await problemOf(attacker, other.id))?.recipients).toEqual(['attacker@example.test'])
  expect((await add(attacker, address)).status).toBe(409)
})

test(
  'an account sends a limited number of reports per day, even if it deletes their subjects',
  { tags: ['full'] },
  async ({ app, attacker }) => {
    const { sql } = await app.stores()
    const client = (await attacker.send('POST', '/api/report-clients', { name: 'Ann', properties: [site] })).body as { id: string }
    const { id } = await made(attacker, 'attacker@example.test')
    await finished(attacker, id)
    await app.mail.mailTo('attacker@example.test', { subject: /^Weekly report/ })
    await sql(`UPDATE day_counts SET used = $1 WHERE what = 'report-mail'`, [reportMailsADay])
    expect((await attacker.send('DELETE', `/api/report-clients/${client.id}`)).status).toBe(204)
    await app.mail.clear()
    await finished(attacker, id)
    expect((await problemOf(attacker, id))?.problem).toContain('Your account can send up to 2,000 report emails a day')
    expect(await app.mail.mails('attacker@example.test')).toEqual([])
    // The next day the count starts over.
    await sql(`UPDATE day_counts SET day = '2026-03-17' WHERE what = 'report-mail'`)
    await finished(attacker, id)
    await app.mail.mailTo('attacker@example.test', { subject: /^Weekly report/ })
  },
)

test(
  "a sender can't use the operator's name, and one who already did gets a neutral name",
  { tags: ['full'] },
  async ({ app, attacker }) => {
    const brand = { name: 'North', color: '#7a1f5c', senderName: 'North Reports', replyTo: null }
    const save = (change: object) => attacker.send('PUT', '/api/report-brand', { ...brand, ...change })
    for (const [field, name] of [
      ['senderName', 'Ranklark Support'],
      ['senderName', 'R\u0430nkl\u0430rk'],
      ['senderName', 'security@bank.example'],
      ['name', 'Ranklark Billing'],
    ] as const)
      expect(await save({ [field]: name })).toMatchObject({ status: 400, body: { field } })
    expect(reportBrand.parse((await save({})).body).brand?.senderName).toBe('North Reports')

    const { sql } = await app.stores()
    await sql(`UPDATE report_brands SET sender_name = 'Ranklark Support'`)
    const { id } = await made(attacker, 'attacker@example.test')
    await app.mail.clear()
    await finished(attacker, id)
    const mail = await app.mail.mailTo('attacker@example.test', { subject: /^Weekly report/ })
    expect(mail.header('from')).toMatch(/^Search reports </)
  },
)
