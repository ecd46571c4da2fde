import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { extractText, getMeta } from 'unpdf'
import { describe, expect, vi } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { z } from 'zod'
import type { TestApp } from '../../../test/support/app.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { newPerson, refresh } from '../../../test/support/people.ts'
import { watchedAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import { unzip } from '../../../test/support/unzip.ts'
import type { Answer, Visitor } from '../../../test/support/visitor.ts'
import {
  logoLimits,
  reportBrand,
  reportClient,
  reportRun,
  reportRuns,
  reportSchedule,
  reportSchedules,
  reportShare,
  reportShares,
  sharedReport,
} from '../../contract/publishing.ts'
import { mostRecipients } from '../../contract/report-limits.ts'

// A brand, clients, schedules, reports by mail and links to them, from the settings of an agency to the mailboxes of its clients.

const [first, second, theirs] = ['https://first.example/', 'https://second.example/', 'https://theirs.example/']
const week = { start: '2026-03-09', end: '2026-03-15' }
const brand = { name: 'North & Co', colour: '#7a1f5c', senderName: 'North Reports', replyTo: 'hello@north.example' }

// Drawing takes its time where many tests run beside these.
vi.setConfig({ testTimeout: 180_000 })

const test = appTest({ today: '2026-03-15', demo: false })
  /** With a brand, on the last day of a week, of which nothing is complete yet. */
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { email: 'owner@example.test', sites: { [first]: 'local', [second]: 'local' }, plan: 'agency' })
    for (const site of [second, first]) {
      await app.google.call('PUT', 'late', { site, days: 3 })
      await watchedAtOnce(app, site, { from: '2026-03-01' })
    }
    // Digests are no reports, and would come between them.
    expect((await owner.send('POST', '/api/delivery-settings', { emailEnabled: false })).status).toBe(201)
    ok(reportBrand, await owner.send('PUT', '/api/report-brand', brand))
    ok(reportBrand, await upload(app, owner, await picture().png().toBuffer()))
    return owner
  })
  .extend('stranger', { scope: 'file' }, ({ app }) =>
    newPerson(app, { email: 'stranger@example.test', sites: { [theirs]: 'empty' }, plan: 'agency' }),
  )
  .extend('desk', { scope: 'file' }, ({ app, owner }) => {
    const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await app.stores()).sql<Row>(text, values)
    const plan = (name: string) =>
      sql(`UPDATE people SET plan = $1 WHERE user_id = (SELECT id FROM users WHERE email = 'owner@example.test')`, [name])
    const bytesOf = async (path: string, who: Visitor | null) => {
      const cookie = [...(who?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${app.url}${path}`, { headers: { cookie } })
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const schedules = async () => ok(reportSchedules, await owner.get('/api/report-schedules'))
    const runs = async () => ok(reportRuns, await owner.get('/api/report-runs'))
    const finished = (id: string, who = owner) =>
      until(
        async () => ok(reportRun, await who.get(`/api/report-runs/${id}`)),
        ({ state }) => state === 'done' || state === 'failed',
        150_000,
      )
    /** As if the hour of the owner's digests had come. */
    async function lookNow(): Promise<void> {
      await sql('UPDATE report_schedules SET look_at = $1', [app.google.now()])
      await runJob(app, 'report-due')
    }
    const mailsOf = () =>
      sql<{ id: string; address: string; state: string; key: string }>('SELECT id, address, state, key FROM report_mails ORDER BY id')
    return { sql, plan, bytesOf, schedules, runs, finished, lookNow, mailsOf }
  })
  .extend('client', { scope: 'file' }, async ({ owner }) =>
    ok(reportClient, await owner.send('POST', '/api/report-clients', { name: 'Ann & Sons', properties: [first, second] })),
  )
  .extend('forClient', { scope: 'file' }, async ({ owner, client }) => {
    const recipients = ['ann@client.example', 'Owner@Example.test', 'ANN@client.example']
    return ok(reportSchedule, await owner.send('POST', '/api/report-schedules', schedule({ subject: { client: client.id }, recipients })))
  })
  /** The week becomes complete and is reported on, while no mail server is there; and what is to be seen on the way. */
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
    const boxes = { ann: await app.mail.mails('ann@client.example'), owner: await app.mail.mails('owner@example.test') }
    const sent = (await schedules()).schedules.find(({ id }) => id === forClient.id)
    return { incomplete, tooEarly, inTime, made, lookedAgain, unsent, boxes, sent }
  })
  /** Ann ends it with the link of her mail: programs that look into mails open every link, and ended twice is ended. */
  .extend('left', { scope: 'file' }, async ({ reported }) => {
    const url = /^<(.+)>$/.exec(reported.boxes.ann[0]?.header('list-unsubscribe') ?? '')?.[1] ?? ''
    const looked = [await page('GET', url), await page('GET', url)]
    return { looked, ended: [await page('POST', url), await page('POST', url)] }
  })
test.beforeEach(({ desk: { plan } }) => plan('agency'))

const ok = <T extends z.ZodType>(schema: T, { status, body }: Answer): z.infer<T> => {
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return schema.parse(body)
}
const refused = ({ status, body }: Answer) => [status, (body as { message: string }).message]
const upload = async (app: TestApp, who: Visitor, bytes: Uint8Array, type = 'image/png'): Promise<Answer> => {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${app.url}/api/report-brand/logo`, {
    method: 'PUT',
    headers: { cookie, 'content-type': type },
    body: new Uint8Array(bytes),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}
const picture = (width = 1200, height = 300) => sharp({ create: { width, height, channels: 4, background: '#7a1f5c' } })
describe('a brand', () => {
  test('is there once it is saved, and its logo after it', async ({ app }) => {
    const person = await newPerson(app, { email: 'branding@example.test', plan: 'agency' })
    const logo = await picture().png().toBuffer()
    expect(ok(reportBrand, await person.get('/api/report-brand'))).toEqual({ locked: null, brand: null })
    expect(refused(await upload(app, person, logo))).toEqual([409, 'Save the name and the colour of your brand first.'])
    const saved = ok(reportBrand, await person.send('PUT', '/api/report-brand', { ...brand, colour: '#7A1F5C' }))
    expect(saved.brand).toEqual({ ...brand, logo: null })
    expect(ok(reportBrand, await upload(app, person, logo)).brand?.logo).toMatch(/^data:image\/png;base64,/)
  })

  test.for([
    ['a colour that is more than one', { colour: 'red;background:url(//evil.example)' }],
    ['a name of nothing', { name: '  ' }],
    ['an address that carries a header', { replyTo: 'a@b.example\r\nBcc: all@example.test' }],
  ] as const)('refuses %s', async ([_what, change], { owner }) => {
    expect((await owner.send('PUT', '/api/report-brand', { ...brand, ...change })).status).toBe(400)
  })

  test.for(['png', 'jpeg', 'webp'] as const)(
    'takes a %s, whatever it is called, and draws it anew without what stood beside it',
    async (format, { app, owner }) => {
      const withMetadata = picture().withExif({ IFD0: { Copyright: 'secret-place' } })
      const answer = await upload(app, owner, await withMetadata.toFormat(format).toBuffer(), 'text/plain')
      const { brand: saved } = ok(reportBrand, answer)
      const logo = Buffer.from((saved?.logo ?? '').replace('data:image/png;base64,', ''), 'base64')
      expect(await sharp(logo).metadata()).toMatchObject({ format: 'png', width: logoLimits.shownWidth, height: 150 })
      expect((await sharp(logo).metadata()).exif).toBeUndefined()
      expect(logo.includes('secret-place')).toBe(false)
    },
  )

  test('shows the first frame of one that moves', async ({ app, owner }) => {
    const frame = async (background: string) =>
      sharp({ create: { width: 40, height: 20, channels: 3, background } })
        .png()
        .toBuffer()
    const moving = await sharp([await frame('#ff0000'), await frame('#0000ff')], { join: { animated: true } })
      .webp()
      .toBuffer()
    const { brand: saved } = ok(reportBrand, await upload(app, owner, moving))
    const logo = Buffer.from((saved?.logo ?? '').split(',')[1] ?? '', 'base64')
    const { data, info } = await sharp(logo).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, data[0]! > 200, data[2]! < 60]).toEqual([40, 20, true, true])
  })

  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`
  const wrong = 'A logo has to be a PNG, JPEG or WebP picture.'
  const damaged = 'This picture is damaged and cannot be read. Save it anew and try again.'
  test.for([
    ['an SVG', async () => Buffer.from(svg), 400, wrong],
    ['an SVG that calls itself XML', async () => Buffer.from(`<?xml version="1.0"?>${svg}`), 400, wrong],
    ['a GIF', () => picture(9, 9).gif().toBuffer(), 400, wrong],
    ['a TIFF', () => picture(9, 9).tiff().toBuffer(), 400, wrong],
    ['HTML', async () => Buffer.from('<html><script>alert(1)</script>'), 400, wrong],
    ['nothing', async () => Buffer.alloc(0), 400, wrong],
    [
      'a PNG in name alone',
      async () => Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(svg)]),
      400,
      damaged,
    ],
    ['half a PNG', async () => (await noise()).subarray(0, 2000), 400, damaged],
    ['a small file with a picture as large as a house', async () => bomb(60_000), 400, damaged],
    ['a picture that is too wide', () => picture(4001, 10).png().toBuffer(), 400, 'A logo is at most 4,000 pixels wide and high.'],
    ['more than 2 MiB', async () => Buffer.alloc(logoLimits.bytes + 1, 0x89), 413, 'A logo has at most 2 MiB.'],
  ] as const)('refuses %s', async ([_what, make, status, message], { app, owner }) => {
    const before = (await owner.get('/api/report-brand')).body
    expect(refused(await upload(app, owner, await make()))).toEqual([status, message])
    expect((await owner.get('/api/report-brand')).body).toEqual(before)
  })

  test('loses its logo on demand', async ({ app, owner }) => {
    expect(ok(reportBrand, await owner.send('DELETE', '/api/report-brand/logo')).brand?.logo).toBeNull()
    expect(ok(reportBrand, await upload(app, owner, await picture().png().toBuffer())).brand?.logo).toMatch(/^data:image\/png;base64,/)
  })

  test('rests when the plan no longer covers it', async ({ app, owner, desk: { plan } }) => {
    await plan('pro')
    const locked = 'Your Pro plan has no white-label reports. Available on the Agency plan.'
    expect(ok(reportBrand, await owner.get('/api/report-brand'))).toMatchObject({ locked, brand: { name: 'North & Co' } })
    expect(refused(await owner.send('PUT', '/api/report-brand', brand))).toEqual([403, locked])
    expect(refused(await upload(app, owner, await picture().png().toBuffer()))).toEqual([403, locked])
    await plan('agency')
  })
})

describe('a client', () => {
  test('is a set of one’s own watched properties', async ({ owner }) => {
    const made = ok(reportClient, await owner.send('POST', '/api/report-clients', { name: 'Bob', properties: [first] }))
    expect(made).toMatchObject({ name: 'Bob', properties: [first] })
    const change = { name: 'Bob & Sons', properties: [second, first, first] }
    const changed = ok(reportClient, await owner.send('PUT', `/api/report-clients/${made.id}`, change))
    expect(changed).toEqual({ id: made.id, name: 'Bob & Sons', properties: [first, second] })
    expect((await owner.send('DELETE', `/api/report-clients/${made.id}`)).status).toBe(204)
  })

  test('never has somebody else’s', async ({ owner, stranger, client }) => {
    const body = { name: 'Bob', properties: [first, theirs] }
    const message = `${theirs} is not one of the properties you watch.`
    expect(refused(await owner.send('POST', '/api/report-clients', body))).toEqual([404, message])
    expect(refused(await owner.send('PUT', `/api/report-clients/${client.id}`, body))).toEqual([404, message])
    expect((await stranger.send('PUT', `/api/report-clients/${client.id}`, { name: 'Mine', properties: [theirs] })).status).toBe(404)
    expect((await stranger.send('DELETE', `/api/report-clients/${client.id}`)).status).toBe(404)
    expect((await owner.get('/api/report-clients')).body).toEqual({ locked: null, clients: [client] })
  })

  test('is without a property that goes away, and has it again when it returns', async ({ owner, desk: { sql }, client: _client }) => {
    await sql('UPDATE properties SET detached_at = now() WHERE name = $1', [second])
    expect((await owner.get('/api/report-clients')).body).toMatchObject({ clients: [{ properties: [first] }] })
    await sql('UPDATE properties SET detached_at = NULL WHERE name = $1', [second])
    expect((await owner.get('/api/report-clients')).body).toMatchObject({ clients: [{ properties: [first, second] }] })
  })
})

const schedule = (change: object) => ({
  subject: { property: first },
  kind: 'week',
  paper: 'a4',
  enabled: true,
  recipients: ['bob@client.example'],
  ...change,
})
const people = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@client.example`)

describe('a schedule', () => {
  test('has as many recipients as the plan allows', async ({ owner, desk: { plan, schedules }, client }) => {
    const post = (change: object) => owner.send('POST', '/api/report-schedules', schedule(change))
    await plan('free')
    expect((await schedules()).recipientLimit).toBe(0)
    expect((await post({})).status).toBe(403)
    await plan('pro')
    expect(refused(await post({ recipients: people(6) }))).toEqual([403, 'Your Pro plan sends a report to up to 5 recipients.'])
    expect((await post({ subject: { client: client.id } })).status).toBe(403)
    const five = ok(reportSchedule, await post({ recipients: people(5) }))
    await plan('agency')
    const many = ok(reportSchedule, await owner.send('PUT', `/api/report-schedules/${five.id}`, schedule({ recipients: people(100) })))
    expect(many.recipients).toHaveLength(100)
    expect((await post({ recipients: people(mostRecipients + 1) })).status).toBe(400)

    await plan('pro')
    const listed = async () => (await schedules()).schedules.find(({ id }) => id === five.id)
    expect(await listed()).toMatchObject({
      problem: 'Paused: your Pro plan sends a report to up to 5 recipients.',
      nextAt: null,
      enabled: true,
    })
    await plan('agency')
    expect(await listed()).toMatchObject({ problem: null })
    expect((await owner.send('DELETE', `/api/report-schedules/${five.id}`)).status).toBe(204)
  })

  test('is about nobody else’s property or client, and is nobody else’s', async ({ owner, stranger, client, forClient }) => {
    expect((await owner.send('POST', '/api/report-schedules', schedule({ subject: { property: theirs } }))).status).toBe(404)
    expect((await stranger.send('POST', '/api/report-schedules', schedule({ subject: { client: client.id } }))).status).toBe(404)
    expect(forClient).toMatchObject({ title: 'Ann & Sons', recipients: ['ANN@client.example', 'Owner@Example.test'], problem: null })
    expect(forClient.nextAt).toBe('2026-03-18T08:00:00.000Z')
    expect((await stranger.send('PUT', `/api/report-schedules/${forClient.id}`, schedule({ subject: { property: theirs } }))).status).toBe(
      404,
    )
    expect((await stranger.send('DELETE', `/api/report-schedules/${forClient.id}`)).status).toBe(404)
  })

  test.for(['a@b.example\r\nBcc: all@example.test', 'Ann <a@b.example>', 'a@b.example,c@d.example'])(
    'goes to no %j',
    async (address, { owner }) => {
      expect((await owner.send('POST', '/api/report-schedules', schedule({ recipients: [address] }))).status).toBe(400)
    },
  )
})

const page = async (method: string, url: string) => {
  const response = await fetch(url, { method })
  return [response.status, await response.text()] as const
}
describe('a week that is over', () => {
  test('is not reported on before it is complete', ({ reported }) => {
    expect(reported.incomplete).toEqual([])
  })

  test('is reported on once it is, at the hour of the owner’s digests', ({ reported: { tooEarly, inTime, made } }) => {
    expect(tooEarly).toEqual([])
    expect(inTime).toMatchObject([{ title: 'Ann & Sons', kind: 'week', period: week, recipients: 2, total: 2 }])
    expect(made).toMatchObject({ state: 'done', done: 2, detail: null })
  })

  test('is in no way reported on twice, however often it is looked', ({ reported: { lookedAgain } }) => {
    expect(lookedAgain.runs).toHaveLength(1)
    expect(lookedAgain.mails).toHaveLength(2)
  })

  test('reaches everybody once the mail server is back, also by a server that was started meanwhile', ({
    reported: { unsent, boxes, sent },
  }) => {
    expect(unsent).toEqual([])
    for (const mails of Object.values(boxes)) expect(mails).toHaveLength(1)
    expect(sent).toMatchObject({ problem: null, nextAt: '2026-03-25T08:00:00.000Z' })
    expect(sent?.lastSentAt).not.toBeNull()
  })

  test('comes in a mail of the brand, with the PDF and without a trace of us', async ({ app, reported }) => {
    const mail = reported.boxes.ann[0]!
    expect(mail.subject).toBe('Weekly report: Ann & Sons, 9–15 Mar 2026')
    expect(mail.header('from')).toBe('North Reports <no-reply@ranklark.example>')
    expect(mail.header('reply-to')).toBe('hello@north.example')
    expect(mail.kind).toBeUndefined()
    const ours = /ranklark/i
    const shown = [mail.subject, mail.text, mail.html, ...['list-id', 'x-mailer'].map((name) => mail.header(name) ?? '')]
    expect(shown.filter((text) => ours.test(text))).toEqual([])
    expect(mail.html).toContain('cid:logo')
    // The one way out leads to the installation itself.
    expect(mail.links.filter((link) => !link.includes('.example/'))).toEqual([
      expect.stringContaining(`${app.url}/api/report-unsubscribe?token=`),
    ])
    expect(mail.text).toContain('You get this mail because North & Co sends you reports on Ann & Sons.')
    expect(mail.attachments).toMatchObject([
      { filename: 'logo.png', mimeType: 'image/png' },
      { filename: 'Ann_Sons-2026-03-09-2026-03-15.pdf', mimeType: 'application/pdf' },
    ])
  })

  test('has the figures of the screens', async ({ owner, reported }) => {
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

  test('that was sent and not marked comes again as the same mail', async ({ app, desk: { sql }, reported: { made, boxes } }) => {
    await app.mail.clear()
    const ofOwner = `run_id = $1 AND lower(address) = 'owner@example.test'`
    await sql(`UPDATE report_mails SET state = 'waiting', sent_at = NULL WHERE ${ofOwner}`, [made.id])
    await runJob(app, 'report-mails')
    const again = await app.mail.mailTo('owner@example.test')
    expect([again.messageId, again.text]).toEqual([boxes.owner[0]?.messageId, boxes.owner[0]?.text])
  })
})

type Summary = { totals: { clicks: number; impressions: number } }
const readPdf = async (bytes: Buffer) =>
  Promise.all([extractText(new Uint8Array(bytes), { mergePages: true }), getMeta(new Uint8Array(bytes))] as const)

test('a run that was cut off is made by the server that comes back, with its mails once', async ({
  app,
  desk: { sql, finished, mailsOf },
  forClient,
  reported: _reported,
}) => {
  // As it stands when the server dies while it works on it.
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
  await sql(`UPDATE report_runs SET state = 'running', attempts = 3 WHERE id = $1`, [id])
  await app.send('report-runs', { run: Number(id) })
  expect((await finished(id)).detail).toContain('Something went wrong on our side')
})

describe('whoever gets a report', () => {
  test('ends it with the link of its mail, and cannot be put back on it', async ({
    owner,
    desk: { schedules },
    client,
    forClient,
    reported,
    left: { looked, ended },
  }) => {
    expect(reported.boxes.ann[0]?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    for (const [, text] of looked) expect(text).toContain('Send no more of these reports')
    for (const [status, text] of ended)
      expect([status, /No more of these reports go to/.test(text), /ranklark/i.test(text)]).toEqual([200, true, false])
    const listed = (await schedules()).schedules.find(({ id }) => id === forClient.id)
    expect(listed?.recipients).toEqual(['Owner@Example.test'])
    const again = schedule({ subject: { client: client.id }, recipients: ['ann@client.example'] })
    const message = 'ann@client.example has unsubscribed from this report and gets no more of it.'
    expect(refused(await owner.send('PUT', `/api/report-schedules/${forClient.id}`, again))).toEqual([409, message])
  })

  test('gets none that was waiting', async ({ app, desk: { sql, mailsOf }, left: _left }) => {
    await app.mail.clear()
    await sql(`UPDATE report_mails SET state = 'waiting' WHERE address = 'ANN@client.example'`)
    await runJob(app, 'report-mails')
    expect(await app.mail.mails('ann@client.example')).toEqual([])
    expect((await mailsOf()).map(({ address }) => address)).not.toContain('ANN@client.example')
  })

  test('is not ended by a link that is not ours', async ({ app }) => {
    expect((await page('POST', `${app.url}/api/report-unsubscribe?token=x.y`))[0]).toBe(400)
  })
})

describe('a report on demand', () => {
  test('is a file of its owner', async ({ owner, stranger, desk: { bytesOf, finished }, reported: _reported }) => {
    const body = { subject: { property: first }, kind: 'week', paper: 'a4' }
    const run = await finished(ok(reportRun, await owner.send('POST', '/api/report-runs', body)).id)
    expect(run).toMatchObject({ state: 'done', period: week, title: first, recipients: 0 })
    const file = await bytesOf(`/api/report-runs/${run.id}/report.pdf`, owner)
    expect([file.status, file.headers.get('content-type'), file.bytes.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-'])
    const [{ text }, meta] = await readPdf(file.bytes)
    const { clicks } = ((await owner.get(`/api/analytics/summary?days=7&property=${encodeURIComponent(first)}`)).body as Summary).totals
    for (const shown of ['North & Co', clicks.toLocaleString('en-US')]) expect(text).toContain(shown)
    expect(/ranklark/i.test(text + JSON.stringify(meta) + file.bytes.toString('latin1'))).toBe(false)
    expect(file.headers.get('content-disposition')).toContain('filename="first.example-2026-03-09-2026-03-15.pdf"')
    expect((await bytesOf(`/api/report-runs/${run.id}/report.pdf`, stranger)).status).toBe(404)
    expect((await bytesOf(`/api/report-runs/${run.id}/report.pdf`, null)).status).toBe(401)
    expect((await stranger.get(`/api/report-runs/${run.id}`)).status).toBe(404)
    expect((await stranger.get('/api/report-runs')).body).toEqual([])
  })

  test('fails in words where there are no figures', async ({ owner, stranger, desk: { plan, finished }, client, reported: _reported }) => {
    const start = (body: object, who = owner) => who.send('POST', '/api/report-runs', { kind: 'month', paper: 'a4', ...body })
    const run = ok(reportRun, await start({ subject: { property: first }, start: '2026-02-01' }))
    expect(await finished(run.id)).toMatchObject({ state: 'failed', detail: `Not every day of 1–28 Feb 2026 is stored of ${first}.` })
    expect(refused(await start({ subject: { property: first }, start: '2026-02-02' }))).toEqual([400, 'No month begins on 2026-02-02.'])
    expect((await start({ subject: { property: theirs } })).status).toBe(404)
    expect((await start({ subject: { client: client.id } }, stranger)).status).toBe(404)
    await plan('free')
    expect((await start({ subject: { property: first } })).status).toBe(403)
    await plan('agency')
  })

  test('goes to the recipients of a schedule of the same subject', async ({
    app,
    owner,
    desk: { sql, finished },
    client,
    forClient,
    left: _left,
  }) => {
    const body = { subject: { client: client.id }, kind: 'week', paper: 'a4', schedule: forClient.id }
    expect((await owner.send('POST', '/api/report-runs', { ...body, subject: { property: first } })).status).toBe(404)
    await app.mail.clear()
    // Names are what people type: they make no header.
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
  })

  test('of a plan without a brand is ours', async ({ app, owner, desk: { sql, plan, schedules, finished }, reported: _reported }) => {
    await plan('pro')
    await app.mail.clear()
    const made = ok(reportSchedule, await owner.send('POST', '/api/report-schedules', schedule({})))
    const body = { subject: { property: first }, kind: 'week', paper: 'a4', schedule: made.id }
    expect(await finished(ok(reportRun, await owner.send('POST', '/api/report-runs', body)).id)).toMatchObject({ state: 'done' })
    const mail = await app.mail.mailTo('bob@client.example')
    expect([mail.kind, mail.header('from'), mail.header('reply-to')]).toEqual(['report', 'Ranklark <no-reply@ranklark.example>', undefined])
    expect(mail.links).toContain(`${app.url}/reports?kind=week&start=2026-03-09`)
    expect(mail.html).not.toContain('cid:')

    // Refused for good: its owner reads why.
    await app.mail.fail({ error: 'recipient550', to: 'bob@client.example' })
    await sql(`UPDATE report_mails SET state = 'waiting' WHERE address = 'bob@client.example'`)
    await runJob(app, 'report-mails')
    const told = await until(
      async () => (await schedules()).schedules.find(({ id }) => id === made.id),
      (found) => found?.problem !== null,
    )
    expect(told?.problem).toContain('The report on 9–15 Mar 2026 did not reach bob@client.example. The mail server refuses this address')
    await owner.send('DELETE', `/api/report-schedules/${made.id}`)
    await plan('agency')
  })
})

describe('a link', () => {
  const visitor = (app: TestApp) => app.visitor()
  const share = async (owner: Visitor, client: { id: string }, change: object = {}) =>
    ok(reportShare, await owner.send('POST', '/api/report-shares', { subject: { client: client.id }, kind: 'week', days: 7, ...change }))
  const tokenOf = (app: TestApp, { url }: { url: string }) => url.slice(`${app.url}/shared/`.length)
  const gone = 'This link does not work any more: it has expired or was withdrawn. Ask whoever sent it to you for another one.'

  test('shows one report to whoever has it, counted', async ({ app, owner, desk: { sql, bytesOf }, client, reported: _reported }) => {
    const listed = async (id: string) => ok(reportShares, await owner.get('/api/report-shares')).shares.find((each) => each.id === id)
    const made = await share(owner, client)
    expect(made).toMatchObject({ title: 'Ann & Sons', kind: 'week', period: week, views: 0, lastViewedAt: null })
    expect(tokenOf(app, made)).toMatch(/^[\w-]{43}$/)
    const answer = await visitor(app).get(`/api/shared/${tokenOf(app, made)}`)
    const report = ok(sharedReport, answer)
    expect(report).toMatchObject({ title: 'Ann & Sons', period: week, missing: [], brand: { name: 'North & Co', colour: '#7a1f5c' } })
    expect(report.reports.map(({ property }) => property)).toEqual([first, second])
    expect([answer.headers.get('x-robots-tag'), answer.headers.get('referrer-policy')]).toEqual(['noindex', 'no-referrer'])
    expect(JSON.stringify(report)).not.toContain('owner@example.test')
    const seen = await listed(made.id)
    expect([seen?.url, seen?.views, seen?.lastViewedAt !== null]).toEqual([made.url, 1, true])
    expect(JSON.stringify(await sql('SELECT token_hash, token_sealed FROM report_shares'))).not.toContain(tokenOf(app, made))

    const files = await Promise.all([1, 2].map(() => bytesOf(`/api/shared/${tokenOf(app, made)}/report.pdf`, null)))
    for (const file of files) {
      expect([file.status, file.bytes.subarray(0, 5).toString(), file.headers.get('x-robots-tag')]).toEqual([200, '%PDF-', 'noindex'])
    }
    expect((await listed(made.id))?.views).toBe(1)
  })

  test('works no more when it is withdrawn, has expired, or its owner’s plan does not cover it', async ({
    app,
    owner,
    stranger,
    desk: { plan, bytesOf },
    client,
    reported: _reported,
  }) => {
    const made = await share(owner, client, { subject: { property: first }, days: 30 })
    const look = async () => [
      refused(await visitor(app).get(`/api/shared/${tokenOf(app, made)}`)),
      (await bytesOf(`/api/shared/${tokenOf(app, made)}/report.pdf`, null)).status,
    ]
    const nothing = [[404, gone], 404]
    await plan('pro')
    expect(await look()).toEqual(nothing)
    expect(ok(reportShares, await owner.get('/api/report-shares')).locked).not.toBeNull()
    await plan('agency')
    expect((await visitor(app).get(`/api/shared/${tokenOf(app, made)}`)).status).toBe(200)
    const now = app.google.now()
    app.google.advance(31 * 24 * 3_600_000)
    expect(await look()).toEqual(nothing)
    app.google.advance(now.getTime() - app.google.now().getTime())

    expect((await stranger.send('DELETE', `/api/report-shares/${made.id}`)).status).toBe(404)
    expect((await owner.send('DELETE', `/api/report-shares/${made.id}`)).status).toBe(204)
    expect(await look()).toEqual(nothing)
    expect(refused(await visitor(app).get('/api/shared/made-up'))).toEqual([404, gone])
  })

  test('cannot be made of somebody else’s, nor of what is not there', async ({
    owner,
    stranger,
    desk: { plan },
    client,
    reported: _reported,
  }) => {
    const body = { subject: { client: client.id }, kind: 'week', days: 7 }
    expect((await stranger.send('POST', '/api/report-shares', body)).status).toBe(404)
    expect((await owner.send('POST', '/api/report-shares', { ...body, days: 365 })).status).toBe(400)
    expect((await owner.send('POST', '/api/report-shares', { ...body, kind: 'month' })).status).toBe(409)
    await plan('pro')
    expect((await owner.send('POST', '/api/report-shares', body)).status).toBe(403)
    await plan('agency')
  })

  test('of the same report stands in its mails', async ({ app, owner, desk: { sql }, client, reported: _reported }) => {
    const made = await share(owner, client)
    await app.mail.clear()
    await sql(
      `UPDATE report_mails SET state = 'waiting' WHERE id = (SELECT max(id) FROM report_mails WHERE lower(address) = 'owner@example.test')`,
    )
    await runJob(app, 'report-mails')
    expect((await app.mail.mailTo('owner@example.test', { subject: /^Weekly report/ })).links).toContain(made.url)
  })

  test('is asked for by one address so often at most', async ({ app }) => {
    const headers = { 'x-forwarded-for': '10.3.0.1' }
    const answers = await Promise.all(Array.from({ length: 80 }, () => visitor(app).get('/api/shared/made-up', { headers })))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
  })
})

test('what is kept of reports can be taken along, is swept when it is old, and goes with the account', async ({
  desk: { sql, bytesOf, finished },
  app,
  reported: _reported,
}) => {
  const site = 'https://left.example/'
  const person = await newPerson(app, { email: 'leaving@example.test', sites: { [site]: 'local' }, plan: 'agency' })
  await watchedAtOnce(app, site, { from: '2026-03-01' })
  ok(reportBrand, await person.send('PUT', '/api/report-brand', brand))
  const { id } = ok(reportClient, await person.send('POST', '/api/report-clients', { name: 'Carl', properties: [site] }))
  const subject = { client: id }
  const sentTo = ok(
    reportSchedule,
    await person.send('POST', '/api/report-schedules', schedule({ subject, recipients: ['carl@client.example'] })),
  )
  for (const to of [{ schedule: sentTo.id }, {}]) {
    const run = ok(reportRun, await person.send('POST', '/api/report-runs', { subject, kind: 'week', paper: 'a4', ...to }))
    expect(await finished(run.id, person)).toMatchObject({ state: 'done' })
  }
  ok(reportShare, await person.send('POST', '/api/report-shares', { subject, kind: 'week', days: 7 }))

  const [user] = await sql<{ id: string }>(`SELECT id FROM users WHERE email = 'leaving@example.test'`)
  const ofPerson = [user!.id]
  const tables = ['report_brands', 'report_clients', 'report_schedules', 'report_runs', 'report_mails', 'report_shares']
  const counts = () =>
    Promise.all(
      tables.map(async (table) =>
        Number((await sql<{ n: string }>(`SELECT count(*) AS n FROM ${table} WHERE user_id = $1`, ofPerson))[0]?.n),
      ),
    )
  expect(await counts()).toEqual([1, 1, 1, 2, 1, 1])
  await sql(
    `UPDATE report_runs SET created_at = now() - interval '100 years' WHERE id = (SELECT max(id) FROM report_runs WHERE user_id = $1)`,
    ofPerson,
  )
  await runJob(app, 'report-sweep')
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 1])

  await sql(`UPDATE report_schedules SET unsubscribed = '{dora@client.example}' WHERE user_id = $1`, ofPerson)
  const archive = await bytesOf('/api/user/export', person)
  const reports = JSON.parse((await unzip(archive.bytes)).get('reports.json') ?? '') as Record<string, object>
  expect(reports).toMatchObject({
    brand: { name: 'North & Co' },
    clients: [{ name: 'Carl', properties: [site] }],
    schedules: [{ client: 'Carl', unsubscribed: ['dora@client.example'] }],
  })
  expect(JSON.stringify(reports)).not.toMatch(/token/i)

  const username = ((await person.get('/api/user')).body as { username: string }).username
  expect((await person.send('DELETE', '/api/user', { username })).status).toBe(204)
  expect(await counts()).toEqual([0, 0, 0, 0, 0, 0])
})

/** A picture that does not get small. */
const noise = () =>
  sharp({ create: { width: 200, height: 200, channels: 3, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png()
    .toBuffer()

/** A PNG of a few kilobytes that says it is `side` pixels wide and high. */
function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
