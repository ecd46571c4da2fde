import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { readForm } from '../../src/server/sync/import/file/form.ts'
import { createImportService } from '../../src/server/sync/import/service.ts'
import { zipOf } from '../support/import-files.ts'
import { withImportLock } from '../../src/server/sync/import/store.ts'
import { storesTest as it, type TestStores } from '../support/import-stores.ts'
import { until } from '../support/until.ts'
import { importedRows } from '../../src/server/facts/row-counts.ts'

// An account that fills the disk with figures, or keeps everybody else from importing theirs.

const clock = { now: () => new Date('2026-11-20T20:00:00Z') }
const header = 'date,query,clicks,impressions,position\n'
/** A file with this many rows for one day. */
const rows = (count: number, day = '2026-07-01', word = 'w') =>
  header + Array.from({ length: count }, (_, at) => `${day},${word}${at},1,10,5\n`).join('')

type Service = ReturnType<typeof createImportService>
const take = (
  imports: Service,
  userId: string,
  propertyName: string,
  content: string | Uint8Array,
  name = 'a.csv',
  ofThisMachine = false,
) => imports.importFiles({ userId, propertyName, ofThisMachine, files: [{ name, content: Readable.from([Buffer.from(content)]) }] })

describe('rows', () => {
  it('are limited per account, whatever sites and files they are spread over, and replaced ones are not counted', async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRows: 100, mostRowsADay: 1e4, rowsOfMonth: 1, longBytes: 1e6 } })
    const [attacker, other] = [await stores.person(), await stores.person()]
    const full = { ok: false, status: 409, problem: { message: expect.stringContaining('up to 100 imported rows') as string } }

    expect(await take(imports, attacker, 'one', rows(200))).toMatchObject(full)
    // Refused as a whole: nothing of it is stored, not even the site.
    expect(await stores.db.selectFrom('properties').where('userId', '=', attacker).select('id').execute()).toEqual([])

    expect(await take(imports, attacker, 'one', rows(40))).toMatchObject({ ok: true })
    // The same days, imported again, replace the old ones.
    for (const word of ['x', 'y']) expect(await take(imports, attacker, 'one', rows(40, '2026-07-01', word))).toMatchObject({ ok: true })
    expect(await take(imports, attacker, 'two', rows(40))).toMatchObject({ ok: true })
    for (const name of ['two', 'three']) expect(await take(imports, attacker, name, rows(40, '2026-07-02'))).toMatchObject(full)

    // Others have an allowance of their own, and the machine's owner decides for themselves.
    expect(await take(imports, other, 'one', rows(40))).toMatchObject({ ok: true })
    expect(await take(imports, attacker, 'three', rows(40, '2026-07-02'), 'a.csv', true)).toMatchObject({ ok: true })
    expect(await take(imports, attacker, 'four', rows(1))).toMatchObject(full)
  })
})

describe('rows of a new account', () => {
  it('are fewer on the day it was created, stored or sent; the next day it has as many as others', async ({ stores }) => {
    const bounds = { mostRows: 1e3, mostRowsADay: 1e3, mostRowsOfNew: 100, rowsOfMonth: 1, longBytes: 1e6 }
    const imports = createImportService({ ...stores, clock, bounds })
    const attacker = await stores.person()
    const created = (ago: string) =>
      stores.pool.query(`UPDATE users SET created_at = $2::timestamptz - $3::interval WHERE id = $1`, [attacker, clock.now(), ago])
    await created('23 hours')
    const message = 'On the day it was created, an account can import up to 100 rows, and this import would exceed that limit.'
    const refused = { ok: false, status: 429, problem: { message: expect.stringContaining(message) as string } }
    expect(await take(imports, attacker, 'one', rows(120))).toMatchObject(refused)
    expect(await take(imports, attacker, 'one', rows(20))).toMatchObject(refused)
    // The machine's owner isn't limited, and others aren't either.
    expect(await take(imports, attacker, 'one', rows(120), 'a.csv', true)).toMatchObject({ ok: true })
    const other = await stores.person()
    await stores.pool.query(`UPDATE users SET created_at = $2 WHERE id = $1`, [other, '2026-11-01'])
    expect(await take(imports, other, 'one', rows(120))).toMatchObject({ ok: true })
    await created('25 hours')
    expect(await take(imports, attacker, 'two', rows(120))).toMatchObject({ ok: true })
  })
})

describe('rows of a day', () => {
  it('are limited, including refused and replaced ones, which stay on the disk until they are swept', async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRows: 1e3, mostRowsADay: 150, rowsOfMonth: 1, longBytes: 1e6 } })
    const attacker = await stores.person()
    const enough = { ok: false, status: 429, problem: { message: expect.stringContaining('up to 150 rows a day') as string } }
    expect(await take(imports, attacker, 'one', rows(50))).toMatchObject({ ok: true })
    expect(await take(imports, attacker, 'one', rows(50, '2026-07-01', 'x'))).toMatchObject({ ok: true })
    expect(await take(imports, attacker, 'one', rows(200, '2026-07-01', 'y'))).toMatchObject({ ok: false })
    expect(await take(imports, attacker, 'one', rows(1, '2026-07-01', 'z'))).toMatchObject(enough)
    // The next day the count starts over, and a name of two thousand characters counts as thirty rows.
    const tomorrow = { now: () => new Date('2026-11-21T20:00:00Z') }
    const later = createImportService({
      ...stores,
      clock: tomorrow,
      bounds: { mostRows: 1e3, mostRowsADay: 150, rowsOfMonth: 1, longBytes: 1e6 },
    })
    expect(await take(later, attacker, 'one', rows(1, '2026-07-01', 'z'))).toMatchObject({ ok: true })
    expect(await take(later, attacker, 'one', rows(5, '2026-07-02', 'z'.repeat(2_000)))).toMatchObject(enough)
  })
})

describe('two uploads at once, each of which the day would allow', () => {
  it('share what the day allows, whichever places or processes they are read in', async ({ stores }) => {
    const bounds = { mostRows: 1e4, mostRowsADay: 150, rowsOfMonth: 1, chargedRows: 10, longBytes: 1e6 }
    const [attacker, both] = [await stores.person(), Promise.withResolvers<void>()]
    let begun = 0
    // Both have looked at what is left before either reads a row.
    const beginLoad: typeof stores.facts.beginLoad = async (...of) => {
      begun += 1
      if (begun === 2) both.resolve()
      await both.promise
      return stores.facts.beginLoad(...of)
    }
    const service = () => createImportService({ ...stores, facts: { ...stores.facts, beginLoad }, clock, bounds })
    const twins = await Promise.all([take(service(), attacker, 'one', rows(100)), take(service(), attacker, 'two', rows(100))])
    const enough = { ok: false, status: 429, problem: { message: expect.stringContaining('up to 150 rows a day') as string } }
    expect(twins.filter(({ ok }) => ok)).toHaveLength(1)
    expect(twins.find(({ ok }) => !ok)).toMatchObject(enough)
  })

  it('are charged while they are read, so a killed process leaves nothing that does not count', async ({ stores }) => {
    const bounds = { mostRows: 1e4, mostRowsADay: 150, rowsOfMonth: 1, chargedRows: 10, longBytes: 1e6 }
    const attacker = await stores.person()
    const [reading, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
    const beginLoad: typeof stores.facts.beginLoad = async (...of) => {
      const load = await stores.facts.beginLoad(...of)
      return { ...load, publish: () => (reading.resolve(), killed.promise) }
    }
    const dying = createImportService({ ...stores, facts: { ...stores.facts, beginLoad }, clock, bounds })
    const outcome = take(dying, attacker, 'one', rows(100)).catch((error: Error) => error.message)
    await reading.promise
    const used = stores.db.selectFrom('dayCounts').where('whose', '=', attacker).where('what', '=', 'import-row').select('used')
    expect(await used.executeTakeFirst()).toEqual({ used: 100 })
    killed.reject(new Error('killed'))
    expect(await outcome).toBe('killed')
  })
})

describe('rows in no order of date', { tags: ['full'] }, () => {
  const days = Array.from({ length: 300 * 28 }, (_, at) => {
    const month = Math.floor(at / 28)
    return `${2001 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}`
  })
  const file = (each: readonly string[]) => header + each.join('')
  /** One query has a row on each of the days, then the next one has. */
  const byQuery = (queries: number, of: readonly string[]) =>
    Array.from({ length: queries * of.length }, (_, at) => `${of[at % of.length]},w${Math.floor(at / of.length)},1,10,5\n`)

  const count = async ({ client }: Pick<TestStores, 'client'>, query: string) =>
    Number(await (await client.query({ query, format: 'TabSeparated' })).text())
  const partsWritten = "SELECT count() FROM system.parts WHERE table = 'facts_query' AND level = 0"
  const rowsWritten = 'SELECT count() FROM facts_query'

  it(
    'of 25 years are refused long before they fill the store with small pieces; sorted, they are imported',
    { tags: ['full'] },
    async ({ stores }) => {
      const imports = createImportService({ ...stores, clock, bounds: { mostRowsADay: 3e6 } })
      const [attacker, other] = [await stores.person(), await stores.person()]
      const shuffled = byQuery(48, days)
      const [parts, written] = [await count(stores, partsWritten), await count(stores, rowsWritten)]
      expect(await take(imports, attacker, 'one', file(shuffled))).toEqual({
        ok: false,
        status: 429,
        problem: {
          message:
            'Rows that jump between months count several times, and this file exceeds the 3,000,000 rows a day that your account can import. Sort the file by date and try again tomorrow (UTC).',
          field: 'file',
        },
      })
      // Each part has cost the sender at least 2,500 rows of the day.
      expect(await count(stores, rowsWritten)).toBeGreaterThan(written)
      expect((await count(stores, partsWritten)) - parts).toBeLessThanOrEqual(3e6 / 2_500)
      expect(await take(imports, attacker, 'one', rows(1))).toMatchObject({ ok: false, status: 429 })

      expect(await take(imports, other, 'one', file(shuffled.toSorted()))).toMatchObject({ ok: true, answer: { rows: shuffled.length } })
    },
  )

  it('of one year, such as a spreadsheet sorted by query, are imported like any others', async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRowsADay: 3e5 } })
    const [owner, again] = [await stores.person(), await stores.person()]
    const year = byQuery(300, days.slice(-12 * 28))
    const sums = { rows: year.length, days: 12 * 28, clicks: year.length, impressions: 10 * year.length }
    const parts = await count(stores, partsWritten)
    expect(await take(imports, owner, 'one', file(year))).toMatchObject({ ok: true, answer: sums })
    // Each of its months is in few pieces.
    expect((await count(stores, partsWritten)) - parts).toBeLessThanOrEqual(12 * 5)
    expect(await take(imports, again, 'one', file(year.toSorted()))).toMatchObject({ ok: true, answer: sums })
  })
})

describe('what is read and not kept', () => {
  const enough = { ok: false, status: 429, problem: { message: expect.stringContaining('up to 150 rows a day') as string } }
  const bulk = 'data_date,clicks,impressions,sum_top_position\n'
  const line = '{"data_date":"2026-07-01","clicks":0,"impressions":0,"sum_top_position":0,"search_type":"WEB"}\n'

  it.for([
    ['rows of a bulk export without clicks and impressions', bulk + '2026-07-01,0,0,0\n'.repeat(200)],
    ['the same as JSON lines', line.repeat(200)],
    ['days that stay ambiguous to the end', header + '02/01/2026,q,1,10,5\n'.repeat(200)],
  ] as const)('counts for the day, and is read no further than that: %s', async ([, content], { stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRows: 1e3, mostRowsADay: 150, rowsOfMonth: 1, longBytes: 1e6 } })
    const attacker = await stores.person()
    expect(await take(imports, attacker, 'one', content)).toMatchObject(enough)
  })

  it('counts when the file is refused before its first row, and so do long columns that are not stored', async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRows: 1e3, mostRowsADay: 150, rowsOfMonth: 1, longBytes: 1e6 } })
    const [one, two] = [await stores.person(), await stores.person()]
    const ambiguous = header + '02/01/2026,q,1,10,5\n'.repeat(100)
    expect(await take(imports, one, 'one', ambiguous)).toMatchObject({ ok: false, status: 400 })
    expect(await take(imports, one, 'one', rows(60))).toMatchObject(enough)

    const wide = `other,${bulk}${`${'x'.repeat(60_000)},2026-07-01,1,1,0\n`.repeat(3)}`
    expect(await take(imports, two, 'one', wide)).toMatchObject({ ok: true })
    expect(await take(imports, two, 'one', rows(1))).toMatchObject(enough)
  })

  it('counts when it is only compared with another table of the same days', { tags: ['full'] }, async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRows: 1e3, mostRowsADay: 150, rowsOfMonth: 1, longBytes: 1e6 } })
    const attacker = await stores.person()
    const days = Array.from({ length: 28 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')},1,10,5\n`).join('')
    const zip = zipOf(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.csv`, `date,clicks,impressions,position\n${days}`])))
    expect(await take(imports, attacker, 'one', zip, 'a.zip')).toMatchObject(enough)
  })

  it('counts among rows that are kept, once', async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRows: 1e3, mostRowsADay: 150, rowsOfMonth: 1, longBytes: 1e6 } })
    const attacker = await stores.person()
    const mixed = (day: string) => bulk + `${day},0,0,0\n`.repeat(49) + `${day},1,2,0\n`
    for (const day of ['2026-07-01', '2026-07-02', '2026-07-03'])
      expect(await take(imports, attacker, 'one', mixed(day))).toMatchObject({ ok: true, answer: { rows: 1 } })
    expect(await take(imports, attacker, 'one', mixed('2026-07-04'))).toMatchObject(enough)
  })
})

describe('an import into a property that another one is importing into', () => {
  it('gives up its slot to others after a while, and says why', async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { lockTimeoutMs: 100 } })
    const [attacker, other] = [await stores.person(), await stores.person()]
    const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = withImportLock(stores.pool, { userId: attacker, name: 'one', patienceMs: 100 }, () => {
      begun.resolve()
      return done.promise
    })
    await begun.promise
    const busy = { ok: false, status: 409, problem: { field: 'property', message: expect.stringContaining('in progress') as string } }
    expect(await Promise.all([take(imports, attacker, 'one', rows(1)), take(imports, other, 'one', rows(1))])).toMatchObject([
      busy,
      { ok: true },
    ])
    done.resolve()
    await holding
    expect(await take(imports, attacker, 'one', rows(1))).toMatchObject({ ok: true })
    // Its connection goes back with everybody's limit.
    const clients = await Promise.all(Array.from({ length: stores.pool.totalCount }, () => stores.pool.connect()))
    const limits = await Promise.all(clients.map(async (client) => (await client.query('SHOW lock_timeout')).rows))
    for (const client of clients) client.release()
    expect(limits).toEqual(clients.map(() => [{ lock_timeout: '5s' }]))
  })
})

describe('two uploads at once, each of which would fit', () => {
  it('do not both become visible, whichever places or processes they are read in', async ({ stores }) => {
    const counted = Promise.withResolvers<void>()
    let counts = 0
    // Both have counted before either goes on.
    const ask = async (...asked: Parameters<typeof stores.facts.ask>): Promise<unknown> => {
      const found = await stores.facts.ask(...asked)
      if (asked[0] !== importedRows) return found
      counts += 1
      if (counts === 2) counted.resolve()
      if (counts <= 2) await counted.promise
      return found
    }
    const facts = { ...stores.facts, ask: ask as typeof stores.facts.ask }
    const service = () =>
      createImportService({ ...stores, facts, clock, bounds: { mostRows: 100, mostRowsADay: 1e4, rowsOfMonth: 1, longBytes: 1e6 } })
    const attacker = await stores.person()
    const twins = await Promise.all([take(service(), attacker, 'one', rows(60)), take(service(), attacker, 'two', rows(60))])
    expect(twins.filter(({ ok }) => ok)).toHaveLength(1)
    expect(twins.find(({ ok }) => !ok)).toMatchObject({ status: 409 })
    // The one that was refused left nothing behind.
    expect(await stores.db.selectFrom('properties').where('userId', '=', attacker).select('id').execute()).toHaveLength(1)
  })
})

describe('places', () => {
  it('that two people’s long files would occupy for hours always include one for short files, and people take turns', async ({
    stores,
  }) => {
    const held = Promise.withResolvers<void>()
    const done: string[] = []
    const names = new Map<number, string>()
    const imports = createImportService({
      ...stores,
      clock,
      bounds: { mostRows: 1e6, mostRowsADay: 1e6, longBytes: 10_000 },
      // A long one isn't finished until it is released.
      onImported: async ({ propertyId }) => {
        const found = await stores.db.selectFrom('properties').where('id', '=', propertyId).select('name').executeTakeFirst()
        names.set(propertyId, found?.name ?? '')
        if (found?.name.startsWith('long')) await held.promise
      },
    })
    const start = async (userId: string, name: string, content: string) => {
      const result = await take(imports, userId, name, content)
      expect(result).toMatchObject({ ok: true })
      done.push(name)
    }
    const [attacker, helper, owner, other] = await Promise.all([stores.person(), stores.person(), stores.person(), stores.person()])
    const long = ['long 1', 'long 2', 'long 3', 'long of another'].map((name, at) => start(at === 3 ? helper : attacker, name, rows(2_000)))
    await until(
      async () => [...names.values()],
      (under) => under.length > 0,
    )
    // Four long ones wait or run; anybody's short one is finished in the meantime.
    await start(owner, 'short', rows(3))
    await start(other, 'short too', rows(3))
    expect(done).toEqual(['short', 'short too'])
    expect([...names.values()].filter((name) => name.startsWith('long'))).toHaveLength(1)
    held.resolve()
    await Promise.all(long)
    // However many files one person has waiting, another person's isn't last.
    expect(done.at(-1)).not.toBe('long of another')
  })

  it(
    'are assigned by unpacked size: small files that unpack to long ones wait for the slot for long files',
    { tags: ['full'] },
    async ({ stores }) => {
      const held = Promise.withResolvers<void>()
      let published = 0
      const imports = createImportService({
        ...stores,
        clock,
        bounds: { mostRows: 1e6, mostRowsADay: 1e6, longBytes: 10_000 },
        onImported: async () => {
          published += 1
          if (published === 1) await held.promise
        },
      })
      const [attacker, accomplice, helper, owner] = await Promise.all(Array.from({ length: 4 }, () => stores.person()))
      const send = (userId: string | undefined, name: string, bytes: Uint8Array) =>
        imports.importFiles({ userId: userId ?? '', propertyName: 'one', files: [{ name, content: Readable.from([Buffer.from(bytes)]) }] })
      const long = rows(2_000).replaceAll(/(w\d+),/g, `$1${' long'.repeat(30)},`)
      const packed = { 'small.csv.gz': gzipSync(long), 'small.zip': zipOf({ 'a.csv': long }) }
      for (const bytes of Object.values(packed)) expect(bytes.length).toBeLessThan(10_000)
      const first = send(helper, 'long.csv', Buffer.from(long))
      await until(
        async () => published,
        (count) => count === 1,
      )
      const done: string[] = []
      const waiting = Object.entries(packed).map(async ([name, bytes], at) => {
        expect(await send(at === 0 ? attacker : accomplice, name, bytes)).toMatchObject({ ok: true, answer: { rows: 2_000 } })
        done.push(name)
      })
      expect(await send(owner, 'short.csv', Buffer.from(rows(3)))).toMatchObject({ ok: true })
      expect(done).toEqual([])
      held.resolve()
      expect(await first).toMatchObject({ ok: true })
      await Promise.all(waiting)
    },
  )
})

describe('uploads of a new account', () => {
  const uploadTo = (dataDir: string) => (isNew: boolean, bytes: number) =>
    readForm({ isMultipart: () => true, headers: { 'content-length': `${bytes}` }, parts: () => [] } as never, dataDir, { isNew })

  it('are shorter on the day it was created, and the refusal says until when', async ({ stores }) => {
    const upload = uploadTo(stores.dataDir)
    const message = expect.stringContaining('larger than 512 MB, the limit on the day an account is created') as string
    await expect(upload(true, 600 * 1024 ** 2)).rejects.toMatchObject({ status: 413, problem: { message, field: 'file' } })
    for (const [isNew, bytes] of [
      [false, 600 * 1024 ** 2],
      [true, 500 * 1024 ** 2],
    ] as const)
      await expect(upload(isNew, bytes)).rejects.toMatchObject({ problem: { message: 'Choose a file' } })
  })
})
