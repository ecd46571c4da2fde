import { expect, onTestFinished } from 'vitest'
import { undoEmailAnswer } from '../../src/contract/account/auth.ts'
import { reportRun, reportSchedule } from '../../src/contract/reports/reports.ts'
import { appTest } from '../support/app-test.ts'
import { runJob } from '../support/jobs.ts'
import { mailedToken, moveTo } from '../support/people.ts'
import { ownerAtOnce } from '../support/stored-history.ts'
import { until } from '../support/until.ts'

// A thief's report that the mail server put off, and its owner, who took the account back meanwhile and goes on sending reports.

const site = 'https://robbed.example/'
const test = appTest({ today: '2026-03-18', demo: false })

test("a report email that was put off before an undo isn't sent once its schedule is on again", { timeout: 180_000 }, async ({ app }) => {
  const [own, theirs, client] = ['robbed@example.test', 'next@thief.example', 'client@client.example']
  const thief = await ownerAtOnce(app, site, { profile: 'local', days: 18, email: own, plan: 'agency' })
  const { sql } = await app.stores()
  const about = { subject: { property: site }, kind: 'week', paper: 'a4', enabled: true, recipients: [client] }
  const { id } = reportSchedule.parse((await thief.send('POST', '/api/report-schedules', about)).body)
  await sql('UPDATE report_recipients SET confirmed_at = now()')
  const reports = async () => (await app.mail.mails(client)).filter(({ subject }) => subject.startsWith('Weekly report'))
  const mails = () => sql<{ state: string; detail: string | null }>('SELECT state, detail FROM report_mails')
  const due = async () => {
    await sql('UPDATE report_mails SET next_attempt_at = $1', [app.google.now()])
    await runJob(app, 'report-mails')
  }

  await app.mail.fail({ error: 'recipient451', to: client, times: 100 })
  onTestFinished(() => void app.mail.stopFailing())
  const asked = { subject: { property: site }, kind: 'week', paper: 'a4', schedule: id }
  reportRun.parse((await thief.send('POST', '/api/report-runs', asked)).body)
  await until(mails, ([mail]) => (mail?.detail ?? null) !== null, 150_000)
  expect(await mails()).toMatchObject([{ state: 'waiting' }])
  // Another one isn't finished yet.
  await sql(`INSERT INTO report_runs (user_id, schedule_id, scheduled, title, kind, paper, property_id, state, total, recipients, created_at)
    SELECT user_id, schedule_id, false, 'unfinished', kind, paper, property_id, 'waiting', total, recipients, created_at FROM report_runs`)
  await moveTo(app, thief, theirs)

  const token = await mailedToken(app, own, 'address-changed')
  const undone = undoEmailAnswer.parse((await app.visitor().send('POST', '/api/auth/undo-email', { token })).body)
  const password = 'of-the-owner-again'
  await app.visitor().send('POST', '/api/auth/reset-password', { token: undone.token, password })
  const back = app.visitor()
  await back.send('POST', '/api/auth/login', { username: 'robbed', password })
  expect((await back.send('PUT', `/api/report-schedules/${id}`, about)).status).toBe(200)
  await app.mail.stopFailing()
  // Even if the client has agreed again.
  await sql('UPDATE report_recipients SET confirmed_at = now()')
  await due()
  expect(await mails()).toEqual([{ state: 'failed', detail: 'It was still waiting when access to your account was revoked.' }])
  expect(await sql(`SELECT state FROM report_runs WHERE title = 'unfinished'`)).toEqual([{ state: 'failed' }])

  // As a process of an earlier version left it: whoever has to agree again gets nothing.
  const waits = () => sql(`UPDATE report_mails SET state = 'waiting', give_up_at = $1`, [new Date(app.google.now().getTime() + 86_400_000)])
  await waits()
  await sql('UPDATE report_recipients SET confirmed_at = NULL')
  await due()
  expect([await mails(), await reports()]).toEqual([[], []])

  // What the owner sends is sent, to those who agreed.
  await sql('UPDATE report_recipients SET confirmed_at = now()')
  expect((await back.send('POST', '/api/report-runs', asked)).status).toBe(201)
  await until(reports, ({ length }) => length === 1, 150_000)
})
