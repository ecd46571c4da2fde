import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ClickHouseFront, startClickHouseFront } from '../../../../test/support/clickhouse-front.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { type ClickHouse, openClickHouse } from './clickhouse.ts'
import { forTenant } from '../tenant.ts'
import { ClickHouseUnavailable } from './clickhouse-errors.ts'

const patienceMs = 1_500
let front: ClickHouseFront
let clickhouse: ClickHouse
const open = (clickhouseUrl: string) => openClickHouse({ clickhouseUrl, dataDir: '', memoryBytes: 0, log: silentLog })

beforeAll(async () => {
  front = await startClickHouseFront()
  clickhouse = await open(`${front.url}/?request_timeout=${patienceMs}`)
  await clickhouse.client.command({ query: 'CREATE TABLE facts (day Date, name String, n UInt64) ENGINE = MergeTree ORDER BY day' })
})
afterAll(async () => {
  await clickhouse?.close()
  await front?.close()
})
afterEach(() => front.fail({ kind: 'none' }))

async function rows<T>(query: string, query_params?: Record<string, unknown>): Promise<T[]> {
  const result = await clickhouse.client.query({ query, format: 'JSONEachRow', ...(query_params && { query_params }) })
  return result.json<T>()
}
const count = async () => (await rows<{ n: number }>('SELECT toUInt32(count()) AS n FROM facts'))[0]?.n

const odd = ['quote \' " ` \\', 'emoji 😀', 'tab\tnewline\n', 'עברית', '{x:String}', '-- /* ;', 'x'.repeat(200_000)]

describe('over the wire', () => {
  test('any text returns unchanged', async () => {
    await clickhouse.client.insert({
      table: 'facts',
      values: odd.map((name, n) => ({ day: '2026-01-01', name, n })),
      format: 'JSONEachRow',
    })
    expect((await rows<{ name: string }>('SELECT name FROM facts ORDER BY n')).map(({ name }) => name)).toEqual(odd)
    for (const name of odd) expect(await rows('SELECT name FROM facts WHERE name = {name:String}', { name })).toEqual([{ name }])
    expect(await rows('SELECT toUInt32(count()) AS n FROM facts WHERE name IN {odd:Array(String)}', { odd })).toEqual([{ n: odd.length }])
    await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
  })

  test('a stream of lines is stored, acknowledged and readable', async () => {
    const lines = Readable.from(['2026-01-01\ta\\tb\t1\n2026-01-02\t', 'c\t2\n'], { objectMode: false })
    await clickhouse.client.insert({ table: 'facts', columns: ['day', 'name', 'n'], values: lines, format: 'TabSeparated' })
    expect(await rows('SELECT name FROM facts ORDER BY day')).toEqual([{ name: 'a\tb' }, { name: 'c' }])
    await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
  })

  test("ClickHouse's errors have its code and type, and aren't outages", async () => {
    await expect(rows('SELECT nope')).rejects.toMatchObject({ code: '47', type: 'UNKNOWN_IDENTIFIER' })
    await expect(rows('SELECT nope')).rejects.not.toBeInstanceOf(ClickHouseUnavailable)
  })

  test('a server is told what the embedded engine knows by itself, and who is asking', async () => {
    await front.seen()
    await rows("SELECT getSetting('async_insert') AS async, getSetting('max_execution_time') AS seconds, timezone() AS zone")
    const [seen] = await front.seen()
    expect(seen?.settings).toMatchObject({ async_insert: '0', session_timezone: 'UTC', join_use_nulls: '0', max_execution_time: '25' })
    expect(seen?.agent).toMatch(/^ranklark /)
  })

  test('temporary files leave a part of the server’s disk, whoever asks', async () => {
    const [disk] = await rows<{ bytes: number }>("SELECT toFloat64(total_space) AS bytes FROM system.disks WHERE name = 'default'")
    const kept = String(Math.floor(Math.min(4 * 1024 ** 3, disk!.bytes / 20)))
    await front.seen()
    await forTenant('somebody', () => rows('SELECT 1'))
    await rows('SELECT 1')
    await clickhouse.client.command({ query: 'SELECT 1' })
    const [ofSomebody, ...ofServer] = await front.seen()
    expect(ofSomebody?.settings).toMatchObject({
      min_free_disk_space_for_temporary_data: kept,
      max_temporary_data_on_disk_size_for_query: String(1024 ** 3),
    })
    expect(ofServer).toHaveLength(2)
    for (const { settings } of ofServer) {
      expect(settings).toMatchObject({ min_free_disk_space_for_temporary_data: kept })
      expect(settings).not.toHaveProperty('max_temporary_data_on_disk_size_for_query')
    }
  })

  test("a person's questions together may use 80% of the server's memory, and the server's own statements 60% each", async () => {
    const [has] = await rows<{ bytes: number }>(
      "SELECT toFloat64(value) AS bytes FROM system.server_settings WHERE name = 'max_server_memory_usage'",
    )
    const bytes = has?.bytes ?? 0
    expect(bytes).toBeGreaterThan(128 * 1024 ** 2)
    const limitOf = async (work: () => Promise<unknown>) => {
      await front.seen()
      await work()
      const [seen] = await front.seen()
      return [seen?.settings['max_memory_usage'], seen?.settings['max_bytes_before_external_group_by']].map(Number)
    }
    const ofPeople = Math.max(128 * 1024 ** 2, (0.8 * bytes) / 16)
    const closeTo = (limit: number) => [limit, 0.4 * limit].map((one) => expect.closeTo(one, -1))
    expect(await limitOf(() => forTenant('somebody', () => rows('SELECT 1')))).toEqual(closeTo(ofPeople))
    expect(await limitOf(() => rows('SELECT 1'))).toEqual(closeTo(0.6 * bytes))
    const write = () => clickhouse.client.command({ query: "INSERT INTO facts SELECT '2026-01-01', 'a', 1" })
    expect(await limitOf(() => forTenant('somebody', write))).toEqual(closeTo(0.6 * bytes))
    await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
    const chosen = await open(`${front.url}/?ch_max_memory_usage=123456789`)
    expect((await limitOf(() => forTenant('somebody', async () => (await chosen.client.query({ query: 'SELECT 1' })).text())))[0]).toBe(
      123_456_789,
    )
    await chosen.close()
  })

  test('settings in the URL precede ours: inserts that the server batches are still waited for', async () => {
    const gathering = await open(`${front.url}/?ch_async_insert=1&clickhouse_setting_join_use_nulls=1`)
    await front.seen()
    await gathering.client.insert({ table: 'facts', values: [{ day: '2026-01-01', name: 'gathered', n: 1 }], format: 'JSONEachRow' })
    const [seen] = await front.seen()
    expect(seen?.settings).toMatchObject({ async_insert: '1', wait_for_async_insert: '1', join_use_nulls: '1', transform_null_in: '0' })
    expect(await count()).toBe(1)
    await gathering.client.command({ query: 'TRUNCATE TABLE facts' })
    expect((await front.seen()).at(-1)?.settings).toMatchObject({ async_insert: '1' })
    await gathering.close()
  })

  test('a wrong password gets one line', async () => {
    await expect(open(front.url.replace('front%20secret', 'guessed'))).rejects.toThrow(
      /^ClickHouse at CLICKHOUSE_URL is not responding: default: Authentication failed/,
    )
  })
})

describe('an outage is distinguished from a bug, is over when ClickHouse is back, and', () => {
  test('nobody listens', async () => {
    await front.fail({ kind: 'refuse' })
    await expect(rows('SELECT 1')).rejects.toBeInstanceOf(ClickHouseUnavailable)
    await expect(clickhouse.client.command({ query: 'SELECT 1' })).rejects.toBeInstanceOf(ClickHouseUnavailable)
    await expect(clickhouse.client.insert({ table: 'facts', values: [{ n: 1 }], format: 'JSONEachRow' })).rejects.toBeInstanceOf(
      ClickHouseUnavailable,
    )
    await front.fail({ kind: 'none' })
    expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('a query is abandoned; a command and a query that may take long are waited for', async () => {
    await front.fail({ kind: 'delay', ms: 2 * patienceMs })
    const command = clickhouse.client.command({ query: "INSERT INTO facts SELECT '2026-01-01', 'late', 1" })
    const long = clickhouse.client.query({ query: 'SELECT 1', clickhouse_settings: { max_execution_time: 300 } })
    await expect(rows('SELECT 1')).rejects.toThrow('ClickHouse is not responding: Timeout error.')
    await command
    expect(await (await long).text()).toContain('1')
    await front.fail({ kind: 'none' })
    expect(await count()).toBe(1)
    await clickhouse.client.command({ query: 'TRUNCATE TABLE facts' })
  })

  test("half a response isn't a response", async () => {
    await front.fail({ kind: 'cut', statement: 'numbers', when: 'in mid-answer' })
    await expect(rows('SELECT number FROM numbers(50000)')).rejects.toBeInstanceOf(ClickHouseUnavailable)
  })

  test('an unacknowledged insert is an error, whether or not it was stored', async () => {
    const insert = () =>
      clickhouse.client.insert({ table: 'facts', values: [{ day: '2026-01-01', name: 'a', n: 1 }], format: 'JSONEachRow' })
    await front.fail({ kind: 'cut', statement: '^INSERT', when: 'before' })
    await expect(insert()).rejects.toBeInstanceOf(ClickHouseUnavailable)
    expect(await count()).toBe(0)
    await front.fail({ kind: 'cut', statement: '^INSERT', when: 'in mid-answer' })
    await expect(insert()).rejects.toBeInstanceOf(ClickHouseUnavailable)
    expect(await count()).toBe(1)
  })
})
