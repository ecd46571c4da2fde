import { expect, test as base } from 'vitest'
import { z } from 'zod'
import { startClickHouseFront } from '../../../test/support/clickhouse-front.ts'
import { silentLog } from '../../../test/support/platform.ts'
import { openClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { ClickHouseUnavailable, TookTooLong, TooMuchAtOnce } from '../platform/clickhouse/clickhouse-errors.ts'
import { askWith } from './question.ts'

// Over the wire; facts.test.ts has the engine in the process.

const test = base
  .extend('front', { scope: 'file' }, async ({}, { onCleanup }) => {
    const front = await startClickHouseFront()
    onCleanup(() => front.close())
    return front
  })
  .extend('client', { scope: 'file' }, async ({ front }, { onCleanup }) => {
    const clickhouse = await openClickHouse({ clickhouseUrl: front.url, dataDir: '', memoryBytes: 0, log: silentLog })
    onCleanup(() => clickhouse.close())
    return clickhouse.client
  })

const question = { row: z.object({ name: z.string() }), params: {} }
const names = (count: number, letters: number) => `SELECT repeat('x', ${letters} + number % 2) AS name FROM numbers(${count})`

test("an answer of many parts arrives whole; one with more bytes than allowed is refused, which isn't an outage", async ({ client }) => {
  expect(await askWith(client, { ...question, sql: names(20_000, 50) })).toHaveLength(20_000)
  await expect(askWith(client, { ...question, sql: names(1_000, 200), mostBytes: 100_000 })).rejects.toBeInstanceOf(TooMuchAtOnce)
})

test('an answer that breaks off is an outage, not a short answer', async ({ front, client }) => {
  await front.fail({ kind: 'cut', statement: 'numbers', when: 'in mid-answer' })
  await expect(askWith(client, { ...question, sql: names(20_000, 50) })).rejects.toBeInstanceOf(ClickHouseUnavailable)
  await front.fail({ kind: 'none' })
})

test("a question whose time is up took too long, which isn't an outage", async ({ client }) => {
  const endless = 'SELECT toString(sum(cityHash64(number))) AS name FROM numbers(1000000000000)'
  const settings = { max_execution_time: 1 }
  await expect(askWith(client, { ...question, sql: endless, settings })).rejects.toBeInstanceOf(TookTooLong)
})

const spilling = {
  ...question,
  sql: `SELECT key AS name FROM (SELECT concat(hex(sipHash128(number)), toString(number)) AS key FROM numbers(1000000)) GROUP BY key
    ORDER BY count(), key LIMIT 1`,
}
const spillsEarly = { max_bytes_before_external_group_by: String(10 * 1024 ** 2), max_bytes_before_external_sort: String(10 * 1024 ** 2) }

test(
  "a question whose temporary files are too large, or would take the last of the disk, took too long, which isn't an outage",
  { tags: ['full'] },
  async ({ client }) => {
    expect(await askWith(client, { ...spilling, settings: spillsEarly })).toHaveLength(1)
    for (const limit of [
      { max_temporary_data_on_disk_size_for_query: String(4 * 1024 ** 2) },
      { min_free_disk_space_for_temporary_data: String(1024 ** 5) },
    ])
      await expect(askWith(client, { ...spilling, settings: { ...spillsEarly, ...limit } })).rejects.toBeInstanceOf(TookTooLong)
  },
)

test("a question that needs more memory than it may use is refused with advice to ask for less, which isn't an outage", async ({
  client,
}) => {
  const endless = 'SELECT toString(length(groupArray(number))) AS name FROM numbers(1000000000)'
  const settings = { max_memory_usage: String(32 * 1024 ** 2) }
  await expect(askWith(client, { ...question, sql: endless, settings })).rejects.toBeInstanceOf(TookTooLong)
})
