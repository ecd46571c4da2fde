import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import { clearUploads, receive } from './receive.ts'
import { createImportService, type ImportResult } from './service.ts'
import { storedRows } from './loads.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { today, zipOf } from '../../../../test/support/import-files.ts'
import { storesTest } from '../../../../test/support/import-stores.ts'
import { dailyTotals } from '../../facts/questions/daily-totals.ts'

const clock = { now: () => new Date(`${today}T20:00:00Z`) }
const it = storesTest.extend('desk', { scope: 'file' }, ({ stores }) => {
  const stored: { propertyId: number; from: string; through: string }[] = []
  const imports = createImportService({ ...stores, clock, onImported: async (event) => void stored.push(event) })
  const person = (plan?: 'free' | 'agency'): Promise<string> => stores.person(plan)
  const uploads = (): string[] => readdirSync(path.join(stores.dataDir, 'uploads'))

  const take = (userId: string, content: string | Uint8Array, propertyName = 'my site', fileName = 'export.csv'): Promise<ImportResult> =>
    imports.importFiles({ userId, propertyName, files: [{ name: fileName, content: Readable.from([Buffer.from(content)]) }] })

  async function property(userId: string, name = 'my site') {
    return stores.db
      .selectFrom('properties')
      .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
      .selectAll('properties')
      .select(['propertySyncs.state', 'propertySyncs.completeThrough', 'propertySyncs.factsVersion'])
      .where('userId', '=', userId)
      .where('name', '=', name)
      .executeTakeFirst()
  }

  async function totals(userId: string, name?: string, searchType: SearchType = 'web') {
    const found = await property(userId, name)
    return stores.facts.ask(dailyTotals, { property: found?.id ?? 0, searchType, start: '2000-01-01' as IsoDate, end: today })
  }
  return { imports, stored, person, uploads, take, property, totals }
})

const header = 'date,clicks,impressions,ctr,position\n'
const chart = `${header}2026-07-01,12,345,3.48%,5.5\n2026-07-02,0,7,0%,9\n2026-07-03,0,0,0%,0\n`

describe('an import', () => {
  it('creates a property whose figures match the file to the last click', async ({
    stores,
    desk: { stored, person, uploads, take, property, totals },
  }) => {
    const userId = await person()
    const answer = {
      property: 'my site',
      changed: true,
      rows: 3,
      days: 3,
      start: '2026-07-01',
      end: '2026-07-03',
      clicks: 12,
      impressions: 352,
      notes: [],
    }
    expect(await take(userId, zipOf({ 'Chart.csv': chart }))).toEqual({ ok: true, answer })
    expect(await totals(userId)).toEqual([
      { date: '2026-07-01', clicks: 12, impressions: 345, positionSum: 345 * 5.5, rankedImpressions: 345 },
      { date: '2026-07-02', clicks: 0, impressions: 7, positionSum: 63, rankedImpressions: 7 },
      { date: '2026-07-03', clicks: 0, impressions: 0, positionSum: 0, rankedImpressions: 0 },
    ])
    const made = await property(userId)
    expect(made).toMatchObject({ kind: 'imported', monitored: true, state: 'imported', completeThrough: '2026-07-03', factsVersion: 1 })
    const selected = await stores.db.selectFrom('people').select('selectedPropertyId').where('userId', '=', userId).executeTakeFirst()
    expect(selected?.selectedPropertyId).toBe(made?.id)
    expect(stored.at(-1)).toEqual({ propertyId: made?.id, from: '2026-07-01', through: '2026-07-03' })
    expect(uploads()).toEqual([])
  })

  it('of the same file again changes nothing and gives the same response', async ({ stores, desk: { person, take, property } }) => {
    const userId = await person()
    const first = await take(userId, chart)
    const before = await stores.client
      .query({ query: 'SELECT count() FROM facts_total', format: 'TabSeparated' })
      .then((answer) => answer.text())
    const again = await take(userId, chart, ' my site ')
    expect(first).toMatchObject({ ok: true, answer: { changed: true } })
    expect(again).toEqual(first.ok && { ok: true, answer: { ...first.answer, changed: false } })
    expect((await property(userId))?.factsVersion).toBe(1)
    expect(
      await stores.client.query({ query: 'SELECT count() FROM facts_total', format: 'TabSeparated' }).then((answer) => answer.text()),
    ).toBe(before)
  })

  it('of a newer file replaces only its own days', async ({ desk: { person, take, property, totals } }) => {
    const userId = await person()
    await take(userId, chart)
    await take(userId, `${header}2026-07-02,5,8,62.5%,2\n2026-06-30,1,1,100%,1\n`)
    expect((await totals(userId)).map(({ date, clicks }) => [date, clicks])).toEqual([
      ['2026-06-30', 1],
      ['2026-07-01', 12],
      ['2026-07-02', 5],
      ['2026-07-03', 0],
    ])
    expect(await property(userId)).toMatchObject({ completeThrough: '2026-07-03', factsVersion: 2 })
  })

  it('of an older file after a newer one restores the older figures', async ({ desk: { person, take, totals } }) => {
    const userId = await person()
    await take(userId, chart)
    const older = await totals(userId)
    await take(userId, `${header}2026-07-02,5,8,62.5%,2\n`)
    expect(await take(userId, chart)).toMatchObject({ ok: true, answer: { changed: true } })
    expect(await totals(userId)).toEqual(older)
    expect(await take(userId, chart)).toMatchObject({ ok: true, answer: { changed: false } })
  })

  it('with an invalid last row leaves nothing: no days, no property, no file', async ({
    stores,
    desk: { person, uploads, take, property, totals },
  }) => {
    const userId = await person()
    const rows = Array.from({ length: 60_000 }, (_, index) => `2026-07-${String((index % 28) + 1).padStart(2, '0')},/page/${index},1,2,3\n`)
    const bad = `date,page,clicks,impressions,position\n${rows.join('')}2026-07-01,/bad,3,2,1\n`
    expect(await take(userId, bad)).toEqual({
      ok: false,
      status: 400,
      problem: { message: 'There are more clicks (3) than impressions (2)', line: 60_002 },
    })
    expect(await property(userId)).toBeUndefined()
    expect(await stores.db.selectFrom('people').select('selectedPropertyId').where('userId', '=', userId).executeTakeFirst()).toEqual({
      selectedPropertyId: null,
    })

    await take(userId, chart)
    const before = await totals(userId)
    expect(await take(userId, bad)).toMatchObject({ ok: false })
    expect(await totals(userId)).toEqual(before)
    expect(uploads()).toEqual([])
  })

  it('of a long CSV fills every grain that its columns allow, with sums', async ({ stores, desk: { person, take, property, totals } }) => {
    const userId = await person()
    const text =
      'date,query,page,country,device,clicks,impressions,position\n' +
      '2026-07-01,shoes,/a,usa,MOBILE,1,10,2\n2026-07-01,shoes,/a,deu,MOBILE,2,30,4\n2026-07-01,hats,/a,usa,DESKTOP,0,5,8\n'
    expect(await take(userId, text)).toMatchObject({
      ok: true,
      answer: { rows: 3, clicks: 3, impressions: 45, notes: [expect.stringContaining('rare queries')] },
    })
    expect(await totals(userId)).toEqual([{ date: '2026-07-01', clicks: 3, impressions: 45, positionSum: 180, rankedImpressions: 45 }])
    const id = (await property(userId))?.id
    const ask = async (table: string, columns: string): Promise<unknown> =>
      (
        await stores.client.query({
          query: `SELECT ${columns}, clicks, impressions, position_sum FROM ${table} WHERE property = ${id} ORDER BY ALL`,
          format: 'JSONCompactEachRow',
        })
      ).json()
    expect(await ask('facts_query_page', 'query, page')).toEqual([
      ['hats', '/a', 0, 5, 40],
      ['shoes', '/a', 3, 40, 140],
    ])
    expect(await ask('facts_page', 'page')).toEqual([['/a', 3, 45, 180]])
    expect(await ask('facts_device', 'device')).toEqual([
      ['DESKTOP', 0, 5, 40],
      ['MOBILE', 3, 40, 140],
    ])
    expect(await ask('facts_country', 'country')).toEqual([
      ['deu', 2, 30, 120],
      ['usa', 1, 15, 60],
    ])
  })

  it('keeps search types apart', async ({ desk: { person, take, totals } }) => {
    const userId = await person()
    await take(userId, 'date,search type,clicks,impressions,position\n2026-07-01,web,1,2,3\n2026-07-01,image,4,5,6\n')
    expect(await totals(userId)).toMatchObject([{ clicks: 1 }])
    expect(await totals(userId, undefined, 'image')).toMatchObject([{ clicks: 4 }])
  })

  it("counts a day as complete by its web search data; other search types don't", async ({ desk: { person, take, property } }) => {
    const userId = await person()
    const days = (searchType: string, ...each: string[]) =>
      `date,search type,clicks,impressions,position\n${each.map((day) => `${day},${searchType},1,2,3\n`).join('')}`
    expect(await take(userId, days('discover', '2026-07-01', '2026-07-20'))).toMatchObject({
      ok: true,
      answer: { end: '2026-07-20', notes: ['Stored as search type discover.', expect.stringContaining('no web search data')] },
    })
    expect(await property(userId)).toMatchObject({ state: 'imported', completeThrough: null, factsVersion: 1 })
    await take(userId, chart)
    expect(await property(userId)).toMatchObject({ completeThrough: '2026-07-03', factsVersion: 2 })
    await take(userId, days('discover', '2026-07-02', '2026-07-25'))
    await take(userId, `${days('web', '2026-07-04')}2026-07-30,image,1,2,3\n`)
    expect(await property(userId)).toMatchObject({ completeThrough: '2026-07-04', factsVersion: 4 })
  })

  it('waits for another import into the same new property', async ({ desk: { person, take, property, totals } }) => {
    const userId = await person()
    const files = Array.from({ length: 6 }, (_, index) => `${header}2026-07-0${index + 1},${index},10,1%,2\n2026-07-20,${index},10,1%,2\n`)
    const results = await Promise.all(files.map((file) => take(userId, file, 'new')))
    expect(results.every((result) => result.ok && result.answer.changed)).toBe(true)
    const days = await totals(userId, 'new')
    expect(days.slice(0, 6).map(({ clicks }) => clicks)).toEqual([0, 1, 2, 3, 4, 5])
    expect(await property(userId, 'new')).toMatchObject({ factsVersion: 6 })
  })

  it('of the same file twice in one upload is refused: its figures would count twice', async ({ desk: { imports, person } }) => {
    const files = ['a.csv', 'b.csv'].map((name) => ({ name, content: Readable.from([Buffer.from(chart)]) }))
    expect(await imports.importFiles({ userId: await person(), propertyName: 'my site', files })).toMatchObject({
      ok: false,
      problem: { message: 'b.csv is an exact copy: add it only once', file: 'a.csv' },
    })
  })

  it("beyond the plan's site limit is refused, even when two race for the last slot", async ({ desk: { person, take } }) => {
    const userId = await person('free')
    const results = await Promise.all(['one', 'two'].map((name) => take(userId, chart, name)))
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    expect(await take(userId, chart, 'three')).toEqual({
      ok: false,
      status: 403,
      problem: { message: 'Your Free plan allows up to 1 site(s).', field: 'property' },
    })
  })

  it.for([
    ['', 'Enter a name for the property'],
    ['x'.repeat(3000), 'at most 2,048'],
    ['a\u0000b', 'invisible characters'],
  ])('needs a property name that can be displayed: %j', async ([name = '', message = ''], { desk: { person, take } }) => {
    expect(await take(await person(), chart, name)).toMatchObject({
      ok: false,
      status: 400,
      problem: { field: 'property', message: expect.stringContaining(message) },
    })
  })

  it('above the size limit is refused with 413 and leaves no file', async ({ stores, desk: { uploads } }) => {
    const pieces = Array.from({ length: 3 }, () => Buffer.alloc(1000))
    await expect(receive(stores.dataDir, { name: 'a.csv', content: Readable.from(pieces) }, 2999)).rejects.toMatchObject({
      status: 413,
      field: 'file',
    })
    expect(uploads()).toEqual([])
    const received = await receive(stores.dataDir, { name: 'a.csv', content: Readable.from(pieces) }, 3000)
    expect(statSync(received.path).mode & 0o777).toBe(0o600)
    await received.remove()
    expect(uploads()).toEqual([])
  })

  it('removes the files of a killed process within a day', async ({ stores, desk: { uploads } }) => {
    const directory = path.join(stores.dataDir, 'uploads')
    const old = path.join(directory, 'old')
    writeFileSync(old, 'x')
    utimesSync(old, 0, 0)
    writeFileSync(path.join(directory, 'young'), 'x')
    await clearUploads(stores.dataDir, new Date())
    expect(uploads()).toEqual(['young'])
    rmSync(path.join(directory, 'young'))
  })

  it('into a connected property that is interrupted before it is recorded is completed by importing the file again', async ({
    stores,
    desk: { person, take, totals },
  }) => {
    const userId = await person()
    const name = 'https://interrupted.example/'
    const first = addDays(today, -30)
    const { rows } = await stores.pool.query<{ id: string }>(
      `INSERT INTO properties (user_id, name, kind, permission_level, monitored) VALUES ($1, $2, 'google', 'siteOwner', true) RETURNING id`,
      [userId, name],
    )
    const id = Number(rows[0]?.id)
    await stores.pool.query(
      `INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from, final_through, fetched_through)
       VALUES ($1, 'web', $2, $2, $3, $3)`,
      [id, addDays(today, -400), today],
    )
    const load = await stores.facts.beginLoad(id, 'web')
    await load.write('total', [{ date: first, keys: [], clicks: 3, impressions: 30, position: 2 }])
    await load.publish(new Map([['total', [first]]]))
    const file = `${header}${addDays(today, -60)},7,70,10%,3\n${addDays(today, -59)},7,70,10%,3\n`

    await stores.pool.query('ALTER TABLE imports ADD CONSTRAINT away CHECK (false) NOT VALID')
    await expect(take(userId, file, name)).rejects.toThrow('away')
    await stores.pool.query('ALTER TABLE imports DROP CONSTRAINT away')
    expect(await totals(userId, name)).toHaveLength(3)
    expect(await storedRows(stores.db, stores.facts, userId)).toBe(2)

    for (const changed of [file, `${file}\n`])
      expect(await take(userId, changed, name)).toMatchObject({ ok: true, answer: { days: 2, clicks: 14 } })
    expect(await totals(userId, name)).toHaveLength(3)
    expect(await storedRows(stores.db, stores.facts, userId)).toBe(2)
    const { rows: noted } = await stores.pool.query('SELECT importing_loads FROM property_syncs WHERE property_id = $1', [id])
    expect(noted).toEqual([{ importing_loads: [] }])
  })

  it('finds its account', async ({ stores, desk: { imports } }) => {
    const owner = await stores.person()
    const rival = await stores.person()
    const address = `${owner}@example.com`
    const capital = (text: string) => text.replace('p', 'P')
    await expect(imports.findUser(undefined)).rejects.toThrow('several accounts')
    await expect(imports.findUser('nobody')).rejects.toThrow('There is no account "nobody"')
    expect(await imports.findUser(capital(owner))).toBe(owner)
    // Anyone may claim an address; its owner's data must not end up with them.
    await expect(imports.findUser(address)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Use the username'),
    })
    await stores.pool.query(`UPDATE users SET email_verified = true WHERE id = $1`, [owner])
    expect(await imports.findUser(capital(address))).toBe(owner)
    await stores.pool.query(`UPDATE users SET email = $2 WHERE id = $1`, [rival, address])
    expect(await imports.findUser(address)).toBe(owner)
    await stores.pool.query(`UPDATE users SET username = $2 WHERE id = $1`, [rival, address])
    await expect(imports.findUser(address)).rejects.toMatchObject({ status: 409 })
    await stores.pool.query(`UPDATE people SET closed_at = now() WHERE user_id = $1`, [owner])
    await expect(imports.findUser(owner)).rejects.toThrow(`There is no account "${owner}"`)

    // The demo's account is recognized by its flag, and only in a demo.
    const named = await stores.person('agency', 'demo')
    const sample = await stores.person()
    await stores.pool.query(`UPDATE people SET demo = 'sample' WHERE user_id = $1`, [sample])
    await expect(imports.findUser(undefined)).rejects.toThrow('several accounts')
    const inDemo = createImportService({ ...stores, demo: true, clock })
    expect(await inDemo.findUser(undefined)).toBe(sample)
    expect(await inDemo.findUser('demo')).toBe(named)
  })
})
