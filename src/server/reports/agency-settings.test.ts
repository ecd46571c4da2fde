import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { agencyTest, brand, first, ok, picture, refused, schedule, second, theirs, upload } from '../../../test/support/agency.ts'
import { member } from '../../../test/support/people.ts'
import { logoLimits, reportBrand, reportClient, reportClients, reportSchedule } from '../../contract/reports/reports.ts'
import { mostRecipients } from '../../contract/reports/limits.ts'

// An agency's settings: its brand, its clients, and who gets which report.

const test = agencyTest({ today: '2026-03-15' })
test.beforeEach(({ desk: { plan } }) => plan('agency'))

describe('a brand', () => {
  test('exists once it is saved, then its logo can be added', async ({ app }) => {
    const person = await member(app, { email: 'branding@example.test', plan: 'agency' })
    const logo = await picture().png().toBuffer()
    expect(ok(reportBrand, await person.get('/api/report-brand'))).toEqual({ locked: null, brand: null })
    expect(refused(await upload(app, person, logo))).toEqual([409, "Save your brand's name and color first."])
    const saved = ok(reportBrand, await person.send('PUT', '/api/report-brand', { ...brand, color: '#7A1F5C' }))
    expect(saved.brand).toEqual({ ...brand, logo: null })
    expect(ok(reportBrand, await upload(app, person, logo)).brand?.logo).toMatch(/^data:image\/png;base64,/)
  })

  test.for([
    ['a color with something after it', { color: 'red;background:url(//evil.example)' }],
    ['an empty name', { name: '  ' }],
    ['an address that contains a header', { replyTo: 'a@b.example\r\nBcc: all@example.test' }],
  ] as const)('refuses %s', async ([_what, change], { owner }) => {
    expect((await owner.send('PUT', '/api/report-brand', { ...brand, ...change })).status).toBe(400)
  })

  test.for(['png', 'jpeg', 'webp'] as const)(
    'accepts a %s, whatever its name, and redraws it without its metadata',
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

  test('uses the first frame of an animated logo', async ({ app, owner }) => {
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
  const wrong = 'The logo must be a PNG, JPEG or WebP image.'
  const damaged = "This image is damaged and can't be read. Save it again and retry."
  test.for([
    ['an SVG', async () => Buffer.from(svg), 400, wrong],
    ['an SVG that calls itself XML', async () => Buffer.from(`<?xml version="1.0"?>${svg}`), 400, wrong],
    ['a GIF', () => picture(9, 9).gif().toBuffer(), 400, wrong],
    ['a TIFF', () => picture(9, 9).tiff().toBuffer(), 400, wrong],
    ['HTML', async () => Buffer.from('<html><script>alert(1)</script>'), 400, wrong],
    ['nothing', async () => Buffer.alloc(0), 400, wrong],
    [
      'a PNG in name only',
      async () => Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(svg)]),
      400,
      damaged,
    ],
    ['half a PNG', async () => (await noise()).subarray(0, 2000), 400, damaged],
    ['a small file with a picture as large as a house', async () => bomb(60_000), 400, damaged],
    ['a picture that is too wide', () => picture(4001, 10).png().toBuffer(), 400, 'The logo must be at most 4,000 pixels wide and high.'],
    ['more than 2 MiB', async () => Buffer.alloc(logoLimits.bytes + 1, 0x89), 413, 'The logo must be 2 MB or smaller.'],
  ] as const)('refuses %s', async ([_what, make, status, message], { app, owner }) => {
    const before = (await owner.get('/api/report-brand')).body
    expect(refused(await upload(app, owner, await make()))).toEqual([status, message])
    expect((await owner.get('/api/report-brand')).body).toEqual(before)
  })

  test('can have its logo removed', async ({ app, owner }) => {
    expect(ok(reportBrand, await owner.send('DELETE', '/api/report-brand/logo')).brand?.logo).toBeNull()
    expect(ok(reportBrand, await upload(app, owner, await picture().png().toBuffer())).brand?.logo).toMatch(/^data:image\/png;base64,/)
  })

  test('is suspended when the plan no longer covers it', async ({ app, owner, desk: { plan } }) => {
    await plan('pro')
    const locked = "Your Pro plan doesn't include white-label reports. Available on the Agency plan."
    expect(ok(reportBrand, await owner.get('/api/report-brand'))).toMatchObject({ locked, brand: { name: 'North & Co' } })
    expect(refused(await owner.send('PUT', '/api/report-brand', brand))).toEqual([403, locked])
    expect(refused(await upload(app, owner, await picture().png().toBuffer()))).toEqual([403, locked])
    await plan('agency')
  })
})

describe('a client', () => {
  test('is a set of the owner’s monitored properties', async ({ owner }) => {
    const made = ok(reportClient, await owner.send('POST', '/api/report-clients', { name: 'Bob', properties: [first] }))
    expect(made).toMatchObject({ name: 'Bob', properties: [first] })
    const change = { name: 'Bob & Sons', properties: [second, first, first] }
    const changed = ok(reportClient, await owner.send('PUT', `/api/report-clients/${made.id}`, change))
    expect(changed).toEqual({ id: made.id, name: 'Bob & Sons', properties: [first, second] })
    expect((await owner.send('DELETE', `/api/report-clients/${made.id}`)).status).toBe(204)
  })

  test('never includes someone else’s property', async ({ owner, stranger, client, desk: { sql } }) => {
    // Its owner monitors it, so only its ownership tells it apart from the client's own properties.
    await sql('UPDATE properties SET monitored = true WHERE name = $1', [theirs])
    const body = { name: 'Bob', properties: [first, theirs] }
    const message = `${theirs} isn't one of the properties you monitor. Choose it under Sites first.`
    expect(refused(await owner.send('POST', '/api/report-clients', body))).toEqual([404, message])
    expect(refused(await owner.send('PUT', `/api/report-clients/${client.id}`, body))).toEqual([404, message])
    expect((await stranger.send('PUT', `/api/report-clients/${client.id}`, { name: 'Mine', properties: [theirs] })).status).toBe(404)
    expect((await stranger.send('DELETE', `/api/report-clients/${client.id}`)).status).toBe(404)
    expect((await owner.get('/api/report-clients')).body).toEqual({ locked: null, clients: [client] })
  })

  test.for([
    ['isn’t monitored', 'monitored = false', 'monitored = true'],
    ['is disconnected', 'detached_at = now(), monitored = false', 'detached_at = NULL, monitored = true'],
  ] as const)(
    'shows and keeps a property that %s, until it is taken out: it isn’t in its reports again without having been seen',
    async ([_what, hide, comeBack], { owner, desk: { sql } }) => {
      const made = ok(reportClient, await owner.send('POST', '/api/report-clients', { name: 'Bob', properties: [first, second] }))
      const change = async (name: string, properties: string[]) =>
        ok(reportClient, await owner.send('PUT', `/api/report-clients/${made.id}`, { name, properties })).properties
      await sql(`UPDATE properties SET ${hide} WHERE name = $1`, [second])
      expect(ok(reportClients, await owner.get('/api/report-clients')).clients).toContainEqual(made)
      expect(await change('Robert', [first, second])).toEqual([first, second])
      expect(await change('Robert', [first])).toEqual([first])
      expect(refused(await owner.send('PUT', `/api/report-clients/${made.id}`, { name: 'Robert', properties: [first, second] }))).toEqual([
        404,
        `${second} isn't one of the properties you monitor. Choose it under Sites first.`,
      ])
      await sql(`UPDATE properties SET ${comeBack} WHERE name = $1`, [second])
      const { clients } = ok(reportClients, await owner.get('/api/report-clients'))
      expect(clients).toContainEqual({ id: made.id, name: 'Robert', properties: [first] })
      expect((await owner.send('DELETE', `/api/report-clients/${made.id}`)).status).toBe(204)
    },
  )
})

const people = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@client.example`)

describe('a schedule', () => {
  test(
    'can have as many recipients as the plan allows',
    { tags: ['full'] },
    async ({ owner, desk: { plan, agreed, schedules }, client }) => {
      const post = (change: object) => owner.send('POST', '/api/report-schedules', schedule(change))
      await plan('free')
      expect((await schedules()).recipientLimit).toBe(0)
      expect((await post({})).status).toBe(403)
      await plan('pro')
      expect(refused(await post({ recipients: people(6) }))).toEqual([403, 'Your Pro plan allows up to 5 recipients per report.'])
      expect((await post({ subject: { client: client.id } })).status).toBe(403)
      const five = ok(reportSchedule, await post({ recipients: people(5) }))
      await plan('agency')
      const many = ok(reportSchedule, await owner.send('PUT', `/api/report-schedules/${five.id}`, schedule({ recipients: people(90) })))
      expect(many.recipients).toHaveLength(90)
      await agreed()
      expect((await post({ recipients: people(mostRecipients + 1) })).status).toBe(400)

      await plan('pro')
      const listed = async () => (await schedules()).schedules.find(({ id }) => id === five.id)
      expect(await listed()).toMatchObject({
        problem: 'Paused: your Pro plan allows up to 5 recipients per report.',
        nextAt: null,
        enabled: true,
      })
      await plan('agency')
      expect(await listed()).toMatchObject({ problem: null })
      expect((await owner.send('DELETE', `/api/report-schedules/${five.id}`)).status).toBe(204)
    },
  )

  test('can’t be about someone else’s property or client, nor be seen by anyone else', async ({ owner, stranger, client, forClient }) => {
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
    'rejects the recipient %j',
    async (address, { owner }) => {
      expect((await owner.send('POST', '/api/report-schedules', schedule({ recipients: [address] }))).status).toBe(400)
    },
  )
})

/** An image that doesn't compress. */
const noise = () =>
  sharp({ create: { width: 200, height: 200, channels: 3, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png()
    .toBuffer()

/** A PNG of a few kilobytes that claims to be `side` pixels wide and high. */
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
