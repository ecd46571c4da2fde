import { describe, expect, vi } from 'vitest'
import { agencyTest, brand, first, ok, refused, schedule, second, week } from '../../../test/support/agency.ts'
import { noJobsLeft, runJob } from '../../../test/support/jobs.ts'
import { refresh } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { reportRun, reportShareMade } from '../../contract/reports/reports.ts'

// Reports by email, from an agency's settings to its clients' mailboxes.

// Drawing is slow while many tests run in parallel.
vi.setConfig({ testTimeout: 180_000 })

/** On the last day of a week that isn't complete anywhere yet. */
const test = agencyTest({ today: '2026-03-15', storedFrom: '2026-03-01' })
  /** The week becomes complete and its report is made without a mail server, with what can be seen on the way. */
  .extend('reported', { scope: 'file' }, async ({ app, owner, desk: { sql, schedules, runs, finished, lookNow, mailsOf }, forClient }) => {
    const weeklies = async (address?: string) =>
      (await app.mail.mails(address)).filter(({ subject }) => subject.startsWith('Weekly report'))
    await app.google.setToday('2026-03-17')
    for (const site of [first, second]) await refresh(owner, site)
    await lookNow()
    const incomplete = await runs()

    await app.google.setMoment('2026-03-18T07:00:00Z')
    for (const site of [first, second]) await refresh(owner, site)
    await app.mail.setListening(false)
    await runJob(app, 'report-due')
    const tooEarly = await runs()
    await app.google.setMoment('2026-03-18T08:00:00Z')
    await runJob(app, 'report-due')
    const inTime = await runs()
    const made = await finished(inTime[0]!.id)

    await sql('UPDATE report_schedules SET sent_start = NULL')
    await lookNow()
    await lookNow()
    await app.send('report-runs', { run: Number(made.id) })
    await runJob(app, 'report-due')
    const lookedAgain = { runs: await runs(), mails: await mailsOf() }

    const unsent = await weeklies()
    await app.restart()
    await app.mail.setListening(true)
    app.google.advance(3_600_000)
    await runJob(app, 'report-mails')
    await until(mailsOf, (all) => all.every(({ state }) => state === 'sent'))
    const boxes = { ann: await weeklies('ann@client.example'), owner: await weeklies('owner@example.test') }
    const sent = (await schedules()).schedules.find(({ id }) => id === forClient.id)
    return { incomplete, tooEarly, inTime, made, lookedAgain, unsent, boxes, sent }
  })
  /** Ann unsubscribes with her email's link: mail scanners open every link, and unsubscribing twice is the same as once. */
  .extend('left', { scope: 'file' }, async ({ reported }) => {
    const url = /^<(.+)>$/.exec(reported.boxes.ann[0]?.header('list-unsubscribe') ?? '')?.[1] ?? ''
    const looked = [await page('GET', url), await page('GET', url)]
    return { looked, ended: [await page('POST', url), await page('POST', url)] }
  })
test.beforeEach(({ desk: { plan } }) => plan('agency'))

const page = async (method: string, url: string) => {
  const response = await fetch(url, { method })
  return [response.status, await response.text()] as const
}
describe('a finished week', () => {
  test('has no report until its data is complete', ({ reported }) => {
    expect(reported.incomplete).toEqual([])
  })

  test('has its report once it is complete, at the owner’s digest hour', ({ reported: { tooEarly, inTime, made } }) => {
    expect(tooEarly).toEqual([])
    expect(inTime).toMatchObject([{ title: 'Ann & Sons', kind: 'week', period: week, recipients: 2, total: 2 }])
    expect(made).toMatchObject({ state: 'done', done: 2, detail: null })
  })

  test('is never reported on twice, however often that is checked', ({ reported: { lookedAgain } }) => {
    expect(lookedAgain.runs).toHaveLength(1)
    expect(lookedAgain.mails).toHaveLength(2)
  })

  test('reaches everyone once the mail server is back, even from a server that restarted in the meantime', ({
    reported: { unsent, boxes, sent },
  }) => {
    expect(unsent).toEqual([])
    for (const mails of Object.values(boxes)) expect(mails).toHaveLength(1)
    expect(sent).toMatchObject({ problem: null, nextAt: '2026-03-25T08:00:00.000Z' })
    expect(sent?.lastSentAt).not.toBeNull()
  })

  test('comes in a branded email with the PDF and without a trace of us', async ({ app, reported }) => {
    const mail = reported.boxes.ann[0]!
    expect(mail.subject).toBe('Weekly report: Ann & Sons, 9–15 Mar 2026')
    expect(mail.header('from')).toBe('North Reports <no-reply@ranklark.example>')
    expect(mail.header('reply-to')).toBe('hello@north.example')
    expect(mail.kind).toBeUndefined()
    const ours = /ranklark/i
    const shown = [mail.subject, mail.text, mail.html, ...['list-id', 'x-mailer'].map((name) => mail.header(name) ?? '')]
    expect(shown.filter((text) => ours.test(text))).toEqual([])
    expect(mail.html).toContain('cid:logo')
    // The only link out leads to the installation itself.
    expect(mail.links.filter((link) => !link.includes('.example/'))).toEqual([
      expect.stringContaining(`${app.url}/api/report-unsubscribe?token=`),
    ])
    expect(mail.text).toContain("You're receiving this email because North & Co sends you reports on Ann & Sons.")
    expect(mail.attachments).toMatchObject([
      { filename: 'logo.png', mimeType: 'image/png' },
      { filename: 'Ann_Sons-2026-03-09-2026-03-15.pdf', mimeType: 'application/pdf' },
    ])
  })

  test('has the figures of the screens', { tags: ['full'] }, async ({ owner, reported }) => {
    const mail = reported.boxes.ann[0]!
    let [clicks, impressions] = [0, 0]
    for (const site of [first, second]) {
      const { totals } = (await owner.get(`/api/analytics/summary?days=7&property=${encodeURIComponent(site)}`)).body as Summary
      clicks += totals.clicks
      impressions += totals.impressions
    }
    expect(mail.text).toMatch(new RegExp(`Clicks\\s+${clicks.toLocaleString('en-US')} \\(`))
    expect(mail.text).toMatch(new RegExp(`Impressions\\s+${impressions.toLocaleString('en-US')} \\(`))
  })

  test('that was sent but not marked is sent again as the same email', async ({ app, desk: { sql }, reported: { made, boxes } }) => {
    await app.mail.clear()
    const ofOwner = `run_id = $1 AND lower(address) = 'owner@example.test'`
    await sql(`UPDATE report_mails SET state = 'waiting', sent_at = NULL WHERE ${ofOwner}`, [made.id])
    await runJob(app, 'report-mails')
    const again = await app.mail.mailTo('owner@example.test')
    expect([again.messageId, again.text]).toEqual([boxes.owner[0]?.messageId, boxes.owner[0]?.text])
  })
})

type Summary = { totals: { clicks: number; impressions: number } }

test(
  'an interrupted run is completed by the restarted server, and emails are sent once',
  { tags: ['full'] },
  async ({ app, desk: { sql, finished, mailsOf }, forClient, reported: _reported }) => {
    // As if the server dies while working on it.
    const [run] = await sql<{ id: string }>(
      `INSERT INTO report_runs (user_id, client_id, schedule_id, scheduled, title, kind, paper, state, attempts, total, recipients, created_at)
     SELECT user_id, client_id, id, false, 'Ann', 'week', 'letter', 'running', 1, 2, '{owner@example.test}', $2
     FROM report_schedules WHERE id = $1 RETURNING id`,
      [forClient.id, app.google.now()],
    )
    const id = run?.id ?? ''
    await app.send('report-runs', { run: Number(id) })
    expect(await finished(id)).toMatchObject({ state: 'done', recipients: 1, period: week, title: 'Ann & Sons' })
    expect((await mailsOf()).filter(({ address }) => address === 'owner@example.test')).toHaveLength(1)
    // The run is done before its job is, and the queue takes no second one meanwhile.
    await noJobsLeft(app, 'report-runs')
    await sql(`UPDATE report_runs SET state = 'running', attempts = 3 WHERE id = $1`, [id])
    await app.send('report-runs', { run: Number(id) })
    expect((await finished(id)).detail).toContain('Something went wrong on our side')
  },
)

describe('a recipient', () => {
  test('can unsubscribe with the link in the email, and can’t be added again', async ({
    owner,
    desk: { schedules },
    client,
    forClient,
    reported,
    left: { looked, ended },
  }) => {
    expect(reported.boxes.ann[0]?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    for (const [, text] of looked) expect(text).toContain('<button>Unsubscribe</button>')
    for (const [status, text] of ended)
      expect([status, /These reports are no longer sent to/.test(text), /ranklark/i.test(text)]).toEqual([200, true, false])
    const listed = (await schedules()).schedules.find(({ id }) => id === forClient.id)
    expect(listed?.recipients).toEqual(['Owner@Example.test'])
    const again = schedule({ subject: { client: client.id }, recipients: ['ann@client.example'] })
    const message = 'ann@client.example has unsubscribed from your reports. Remove this address.'
    expect(refused(await owner.send('PUT', `/api/report-schedules/${forClient.id}`, again))).toEqual([409, message])
  })

  test('gets no pending emails after that', async ({ app, desk: { sql, mailsOf }, left: _left }) => {
    await app.mail.clear()
    await sql(`UPDATE report_mails SET state = 'waiting' WHERE address = 'ANN@client.example'`)
    await runJob(app, 'report-mails')
    expect(await app.mail.mails('ann@client.example')).toEqual([])
    expect((await mailsOf()).map(({ address }) => address)).not.toContain('ANN@client.example')
  })

  test('isn’t unsubscribed by a forged link', async ({ app }) => {
    expect((await page('POST', `${app.url}/api/report-unsubscribe?token=x.y`))[0]).toBe(400)
  })
})

test(
  'a report on demand goes to the recipients of the schedule for the same property or client',
  { tags: ['full'] },
  async ({ app, owner, desk: { sql, finished }, client, forClient, left: _left }) => {
    const body = { subject: { client: client.id }, kind: 'week', paper: 'a4', schedule: forClient.id }
    expect((await owner.send('POST', '/api/report-runs', { ...body, subject: { property: first } })).status).toBe(404)
    await app.mail.clear()
    // People type names freely: they must not become a header.
    await sql(`UPDATE report_clients SET name = E'Ann\\r\\nBcc: all@example.test'`)
    await sql(`UPDATE report_brands SET sender_name = E'North\\r\\nBcc: all@example.test <x@y.example>'`)
    const run = ok(reportRun, await owner.send('POST', '/api/report-runs', body))
    expect(await finished(run.id)).toMatchObject({ state: 'done', recipients: 1 })
    const mail = await app.mail.mailTo('owner@example.test', { subject: /^Weekly report/ })
    expect(mail.header('bcc')).toBeUndefined()
    expect(mail.header('from')).toContain('<no-reply@ranklark.example>')
    expect(mail.subject).toBe('Weekly report: Ann Bcc: all@example.test, 9–15 Mar 2026')
    expect((await app.mail.mails()).length).toBe(1)
    await sql(`UPDATE report_clients SET name = 'Ann & Sons'`)
    await sql(`UPDATE report_brands SET sender_name = $1`, [brand.senderName])
  },
)

test('its emails link to the same report', async ({ app, owner, desk: { sql }, client, reported: _reported }) => {
  const body = { subject: { client: client.id }, kind: 'week', days: 7 }
  const made = ok(reportShareMade, await owner.send('POST', '/api/report-shares', body))
  await app.mail.clear()
  await sql(
    `UPDATE report_mails SET state = 'waiting' WHERE id = (SELECT max(id) FROM report_mails WHERE lower(address) = 'owner@example.test')`,
  )
  await runJob(app, 'report-mails')
  expect((await app.mail.mailTo('owner@example.test', { subject: /^Weekly report/ })).links).toContain(made.url)
})
