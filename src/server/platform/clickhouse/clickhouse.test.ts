import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStoresElsewhere, silentLog, temporaryDirectory } from '../../../../test/support/platform.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import { readFairly } from '../fair-reads.ts'
import { forTenant } from '../tenant.ts'
import { type ClickHouse, openClickHouse } from './clickhouse.ts'
import { ClickHouseUnavailable, exceededDisk, exceededMemory, isClickHouseBusy, ofClickHouse } from './clickhouse-errors.ts'

const MIB = 1024 ** 2
let dataDir: string
let clickhouse: ClickHouse

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'ranklark clickhouse '))
  clickhouse = await openClickHouse({ dataDir, memoryBytes: 256 * MIB, log: silentLog })
  await clickhouse.client.command({ query: 'CREATE TABLE facts (day Date, name String, n UInt64) ENGINE = MergeTree ORDER BY day' })
})
afterAll(async () => {
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function rows<T>(query: string, query_params?: Record<string, unknown>): Promise<T[]> {
  const result = await clickhouse.client.query({ query, format: 'JSONEachRow', ...(query_params && { query_params }) })
  return result.json<T>()
}

const ODD = ['quote \' " ` \\', 'emoji 😀', 'x'.repeat(2000), 'tab\tnewline\n', 'null\0byte', 'עברית', '{x:String}', '-- /* ;']

describe('values return unchanged', () => {
  test.each(ODD)('as JSON and as a parameter: %j', async (name) => {
    await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
    await clickhouse.client.insert({ table: 'facts', values: [{ day: '2026-01-01', name, n: 1 }], format: 'JSONEachRow' })
    expect(await rows('SELECT name FROM facts WHERE name = {name:String}', { name })).toEqual([{ name }])
  })

  test('as a stream of tab-separated lines', async () => {
    await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
    const lines = Readable.from(['2026-01-01\ta\\tb\t1\n2026-01-02\t', 'c\t2\n'], { objectMode: false })
    const { summary } = await clickhouse.client.insert({
      table: 'facts',
      columns: ['day', 'name', 'n'],
      values: lines,
      format: 'TabSeparated',
    })
    expect(summary?.written_rows).toBe('2')
    expect(
      await rows('SELECT name FROM facts WHERE day IN {days:Array(Date)} ORDER BY day', { days: ['2026-01-01', '2026-01-02'] }),
    ).toEqual([{ name: 'a\tb' }, { name: 'c' }])
  })

  test('a batch with an invalid row stores nothing', async () => {
    await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
    const lines = Array.from({ length: 2000 }, (_, i) => `2026-01-01\ta\t${i === 1999 ? 'nonsense' : i}\n`)
    const inserting = clickhouse.client.insert({
      table: 'facts',
      values: Readable.from(lines, { objectMode: false }),
      format: 'TabSeparated',
    })
    await expect(inserting).rejects.toThrow(/Cannot parse|nonsense|UInt64/)
    expect(await rows('SELECT count() AS n FROM facts')).toEqual([{ n: 0 }])
  })
})

describe('like a server', () => {
  test("errors have ClickHouse's code and type", async () => {
    await expect(rows('SELECT nope')).rejects.toMatchObject({ code: '47', type: 'UNKNOWN_IDENTIFIER' })
  })

  test("a statement's settings apply only to it", async () => {
    const read = async () => (await rows<{ n: number }>("SELECT getSetting('max_block_size') AS n"))[0]?.n
    const before = await read()
    const result = await clickhouse.client.query({
      query: "SELECT getSetting('max_block_size') AS n",
      format: 'JSONEachRow',
      clickhouse_settings: { max_block_size: '77' },
    })
    expect(await result.json()).toEqual([{ n: 77 }])
    await clickhouse.client.command({ query: 'SELECT 1', clickhouse_settings: { max_block_size: '78' } })
    const after = await Promise.all(Array.from({ length: 20 }, read))
    expect(new Set(after)).toEqual(new Set([before]))
  })
})

test('every question is stopped when its time is up, as on a server; a write may take longer', async () => {
  const { client } = clickhouse
  const query = "SELECT toUInt64(getSetting('max_execution_time')) AS seconds"
  const asked = { query, format: 'JSONEachRow' as const }
  expect(await rows(query)).toEqual([{ seconds: 25 }])
  expect(await (await client.query({ ...asked, clickhouse_settings: { max_execution_time: 7 } })).json()).toEqual([{ seconds: 7 }])
  expect(await text((await client.exec({ query: `${query} FORMAT CSV` })).stream)).toBe('25\n')
  await client.command({ query: 'TRUNCATE TABLE facts' })
  await client.command({ query: "INSERT INTO facts SELECT '2026-01-01', 'limit', toUInt64(getSetting('max_execution_time'))" })
  expect(await rows('SELECT n FROM facts')).toEqual([{ n: 0 }])
})

test('endless reads leave writes their turn: each write starts after a few reads, even while another write takes a long time', async () => {
  const { client, atATime } = clickhouse
  let [read, written] = [0, 0]
  // Twice as many as there are sessions, so that a read waits whenever one is free; each begins again as soon as it is answered.
  const isOver = () => written === 4 || read >= 400
  const reading = Array.from({ length: 2 * atATime }, async () => {
    for (; !isOver(); read += 1) await rows('SELECT sleep(0.05)')
  })
  const write = async (query: string) => {
    await client.command({ query })
    written += 1
    return read
  }
  const long = write('SELECT sleep(1)')
  const short = [1, 2, 3].map(() => write('SELECT 1'))
  const readBefore = await Promise.all(short)
  expect(Math.max(...readBefore)).toBeLessThanOrEqual(6 * atATime)
  expect(await long).toBeLessThan(400)
  await Promise.all(reading)
})

test('two long aggregations keep no rows from being stored, however much is read in the meantime', { tags: ['full'] }, async () => {
  const { client, atATime } = clickhouse
  await client.command({ query: 'TRUNCATE TABLE facts' })
  const done: string[] = []
  const isOver = () => done.length === 5
  const reading = Array.from({ length: 2 * atATime }, async () => {
    while (!isOver()) await rows('SELECT sleep(0.05)')
  })
  const note = (what: string) => () => void done.push(what)
  const sums = [1, 2].map(() => client.command({ query: 'SELECT sleep(2)' }).then(note('sum')))
  for (const n of [1, 2, 3]) {
    await client.insert({ table: 'facts', values: [['2026-01-01', 'short', n]], format: 'JSONCompactEachRow' })
    note('rows')()
  }
  await Promise.all([...sums, ...reading])
  expect(done).toEqual(['rows', 'rows', 'rows', 'sum', 'sum'])
})

test('parameterized queries run concurrently without mixing up, while a long statement runs', { tags: ['full'] }, async () => {
  const slow = clickhouse.client.command({ query: 'SELECT sum(sipHash64(number)) FROM numbers(60000000) SETTINGS max_threads = 1' })
  const started = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => rows<{ i: number }>('SELECT {i:UInt32} AS i', { i })))
  const took = performance.now() - started
  expect(answers.map(([row]) => row?.i)).toEqual(Array.from({ length: 50 }, (_, i) => i))
  await slow
  expect(took).toBeLessThan(performance.now() - started)
})

test('a query that exceeds the memory limit fails alone', async () => {
  await expect(rows('SELECT length(groupArray(number)) AS n FROM numbers(100000000)')).rejects.toMatchObject({
    type: 'MEMORY_LIMIT_EXCEEDED',
  })
  expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('queries that spill to disk leave a part of it free, and one person’s question may spill a gibibyte at most', async () => {
  const query = `SELECT toFloat64(getSetting('min_free_disk_space_for_temporary_data')) AS kept,
    toFloat64(getSetting('max_temporary_data_on_disk_size_for_query')) AS most`
  const { blocks, bsize } = statfsSync(dataDir)
  const kept = Math.floor(Math.min(4 * 1024 ** 3, (blocks * bsize) / 20))
  expect(await forTenant('somebody', () => rows(query))).toEqual([{ kept, most: 1024 ** 3 }])
  expect(await rows(query)).toEqual([{ kept, most: 0 }])
  const spilling = 'SELECT count() AS n FROM (SELECT number FROM numbers(3000000) GROUP BY number)'
  const asked = { query: spilling, format: 'JSONEachRow' as const }
  const limit = { max_bytes_before_external_group_by: '10000000', max_temporary_data_on_disk_size_for_query: '1000000' }
  const failing = clickhouse.client.query({ ...asked, clickhouse_settings: limit })
  await expect(failing).rejects.toSatisfy(exceededDisk)
})

test("one person's questions at their memory limit leave enough for others' questions and inserts", { tags: ['full'] }, async () => {
  const { client, atATime } = clickhouse
  await client.command({ query: 'TRUNCATE TABLE facts' })
  const fair = readFairly(client, atATime)
  const ask = async (person: string, query: string) =>
    forTenant(person, async () => (await fair.query({ query, format: 'JSONEachRow' })).json())
  const over = new AbortController()
  const failures: unknown[] = []
  const greedy = Array.from({ length: 6 }, async () => {
    while (!over.signal.aborted)
      await ask('greedy', 'SELECT length(groupArray(number)) AS n FROM numbers(100000000)').catch((error: unknown) => failures.push(error))
  })
  const lines = Array.from({ length: 20_000 }, (_, n) => `2026-01-01\tsome words of usual length ${n}\t${n}\n`).join('')
  try {
    for (let round = 1; round <= 15; round++) {
      await client.insert({ table: 'facts', values: Readable.from([lines], { objectMode: false }), format: 'TabSeparated' })
      const found = await ask('modest', 'SELECT name, count() AS n FROM facts GROUP BY name ORDER BY name LIMIT 1')
      expect(found).toEqual([{ name: 'some words of usual length 0', n: round }])
    }
  } finally {
    over.abort()
  }
  await Promise.all(greedy)
  expect(failures.length).toBeGreaterThan(6)
  // Each failed because of its own question.
  for (const error of failures) expect(exceededMemory(error)).toBe(true)
})

test('a question that fails because others use the memory fails temporarily; one that needs too much fails for good', () => {
  const short = { type: 'MEMORY_LIMIT_EXCEEDED' }
  const own = new Error('Query memory limit exceeded: would use 192.07 MiB (attempt to allocate chunk of 128.00 MiB), maximum: 153.60 MiB.')
  const total = new Error(
    '(total) memory limit exceeded: would use 289.42 MiB (attempt to allocate chunk of 64.00 MiB), maximum: 256.00 MiB.',
  )
  const older = new Error('Memory limit (total) exceeded: would use 289.42 MiB')
  for (const error of [total, older]) {
    const translated = ofClickHouse(Object.assign(error, short))
    expect(translated).toBeInstanceOf(ClickHouseUnavailable)
    expect(isClickHouseBusy(translated)).toBe(true)
  }
  expect(ofClickHouse(Object.assign(own, short))).toBe(own)
})

test.each([
  ['an error in a later row', 'SELECT number, throwIf(number = 200000) AS n FROM numbers(300000)', { max_block_size: '1000' }],
  [
    'a byte limit',
    "SELECT repeat('a', 1000 + number % 2) AS n FROM numbers(5000)",
    { max_block_size: '500', max_result_bytes: '2000000', result_overflow_mode: 'throw' as const },
  ],
  ...inFull([['a time limit', 'SELECT sleepEachRow(0.01) AS n FROM numbers(1000)', { max_block_size: '10', max_execution_time: 0.3 }]]),
] as const)('rows of a query that broke off are in no later answer: %s', async (_why, query, clickhouse_settings) => {
  const breaksOff = async () => (await clickhouse.client.query({ query, format: 'JSONEachRow', clickhouse_settings })).json()
  for (let round = 0; round < 3; round++) {
    await expect(breaksOff()).rejects.toThrow(/throwIf|Limit for result exceeded|Timeout exceeded/)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => rows<{ i: number }>('SELECT {i:UInt32} AS i', { i })))
    expect(answers).toEqual(Array.from({ length: 12 }, (_, i) => [{ i }]))
  }
})

test('a second process on the same directory gets one line', async () => {
  const { firstLine, exit } = openStoresElsewhere(dataDir, 'clickhouse')
  expect(await firstLine).toBe(
    `Another Ranklark server (process ${process.pid}) is using ${path.join(dataDir, 'clickhouse')}: stop it, or give this one another DATA_DIR`,
  )
  expect(await exit).toBe(1)
})

test('closing waits for running queries, refuses later ones, and the directory opens again', async () => {
  await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
  const running = clickhouse.client.command({ query: "INSERT INTO facts SELECT '2026-01-01', 'x', number FROM numbers(100000)" })
  const closing = clickhouse.close()
  await expect(rows('SELECT 1')).rejects.toThrow('ClickHouse is closed')
  await running
  await closing
  clickhouse = await openClickHouse({ dataDir, memoryBytes: 256 * MIB, log: silentLog })
  expect(await rows('SELECT count() AS n FROM facts')).toEqual([{ n: 100_000 }])
})

test("a server that doesn't answer gets one line", async () => {
  const opening = openClickHouse({
    clickhouseUrl: 'http://127.0.0.1:9',
    dataDir: temporaryDirectory(),
    memoryBytes: 256 * MIB,
    log: silentLog,
  })
  await expect(opening).rejects.toThrow(/^ClickHouse at CLICKHOUSE_URL is not responding: /)
})
