import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import type { ClickHouseClient } from '@clickhouse/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SearchType } from '../../../contract/common.ts'
import { beginLoad, type FactRow, lettersOf, type Load } from '../../facts/load.ts'
import type { FactsStore } from '../../facts/store.ts'
import { readJsonLines } from './bulk/json-lines.ts'
import { peek } from './file/table.ts'
import { deviceOf, searchTypeOf } from './file/vocabulary.ts'
import { derivable } from './grains.ts'
import { loadRows } from './load-rows.ts'
import type { Part } from './read-upload.ts'
import type { ImportedRow } from './rows.ts'
import { openSources } from './sources.ts'
import { problemOf, zipOf } from '../../../../test/support/import-files.ts'
import { inFull } from '../../../../test/support/in-full.ts'

// Uploads that are small on the wire and large in memory.

const MiB = 1024 ** 2

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that stay in memory after `work`, while its result is held. */
async function heldAfter(work: () => unknown): Promise<number> {
  await nextTurn()
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const held = await work()
  await nextTurn()
  collectGarbage()
  const after = process.memoryUsage().heapUsed
  return held === undefined ? 0 : after - before
}

/** A file that arrives in pieces, as from a disk. */
function file(text: string) {
  const bytes = Buffer.from(text)
  function* pieces() {
    for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
  }
  return { label: undefined, size: bytes.length, open: async () => Readable.from(pieces()) }
}
const long = 'a'.repeat(100_000)

describe('the start of each table, kept in memory until all are open', () => {
  test.each([
    ['no dates', 'undated', `${'x,'.repeat(150)}x\n${`${long}\n`.repeat(60)}`],
    ['long filters', 'filters', `Filter,Value\n${`Page,${long}\n`.repeat(60)}`],
    ['long rows by date', 'dated', `date,page,clicks,impressions,ctr,position\n${`2026-07-01,${long},1,1,1,1\n`.repeat(60)}`],
    ['a long column name', 'dated', `date,clicks,impressions,position,${long}\n2026-07-01,1,1,1,${long}\n`],
    ['a long field name', 'dated', `{"date":"2026-07-01","clicks":1,"impressions":1,"position":1,"${long}":1}\n`],
    ['a long name in a bulk export', 'bulk', `{"data_date":"2026-07-01","clicks":1,"impressions":1,"sum_position":1,"${long}":1}\n`],
    [
      'as many columns as possible',
      'dated',
      `date,clicks,impressions,position${',xx'.repeat(190)}\n${`2026-07-01,1,1,1${',xx'.repeat(190)}\n`.repeat(60)}`,
    ],
  ])('takes a few kilobytes if the table has %s', { tags: ['full'] }, async (_what, kind, text) => {
    const tables = 5
    const source = file(text)
    const bytes = await heldAfter(async () => {
      const peeked = []
      for (let at = 0; at < tables; at += 1) peeked.push(await peek(source))
      expect(new Set(peeked.map(({ table }) => table.kind))).toEqual(new Set([kind]))
      return peeked
    })
    expect(bytes / tables).toBeLessThan(64 * 1024)
  })

  test.each([
    ['CSV', `date,page\n${'a'.repeat(130 * 1024)}\n`],
    ['quoted CSV', `date,page\n"${'a\n'.repeat(70_000)}"\n`],
    ['JSON', `{"date":"2026-07-01"}\n{"page":"${'a'.repeat(130 * 1024)}"}\n`],
    ['endless JSON', `{"date":"2026-07-01"}\n{"page":"${'a'.repeat(130 * 1024)}`],
  ])('ends at a line longer than any row: %s', async (_form, text) => {
    await expect(peek(file(text))).rejects.toThrow('This line is too long')
  })

  test('is left out if its first line is longer than any row', async () => {
    const line = `{"date":"2026-07-01","page":"${'a'.repeat(130 * 1024)}"}\n`
    expect(await peek(file(line))).toEqual({ table: { kind: 'json' }, head: [] })
  })

  test('is read for up to 500 tables, however many ZIP files contain them', { tags: ['full'] }, async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-tables-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const zip = zipOf(Object.fromEntries(Array.from({ length: 251 }, (_, at) => [`${at}.csv`, 'x\n'])))
    const files = ['a.zip', 'b.zip'].map((name) => ({ name, path: path.join(directory, name), size: zip.length }))
    for (const each of files) await writeFile(each.path, zip)
    // The third isn't even opened.
    const missing = { name: 'c.zip', path: path.join(directory, 'c.zip'), size: 1 }
    await expect(openSources([...files, missing])).rejects.toThrow('The upload contains more than 500 tables: split it by date')
    const one = await openSources(files.slice(0, 1))
    expect(one.list).toHaveLength(251)
    one.close()
  })
})

test('only short words of a file are cached, without the piece of the file around them', { tags: ['full'] }, async () => {
  const bytes = await heldAfter(() => {
    for (let at = 1; at <= 60; at += 1) {
      const piece = `${long}web${'.'.repeat(at)}mobile${'.'.repeat(90_000 + at)}`
      expect(searchTypeOf(piece.slice(long.length, long.length + 3 + at))).toBe('web')
      expect(deviceOf(piece.slice(long.length + 3 + at))).toBeUndefined()
    }
    return true
  })
  expect(bytes).toBeLessThan(MiB)
})

describe('rows without content', () => {
  const columns = Object.fromEntries(Array.from({ length: 190 }, (_, at) => [`c${at}`, 1]))
  const row = JSON.stringify({ data_date: '2026-07-01', clicks: 1, impressions: 1, sum_position: 1, search_type: 'WEB', ...columns })

  test.each([
    ['JSON', 'a.json.gz', `${row}\n${'{}\n'.repeat(200_000)}`],
    ['CSV', 'a.csv.gz', `date,clicks,impressions,position\n2026-07-01,1,1,1\n${',,,\n'.repeat(200_000)}`],
    ...inFull([
      ['JSON with a value in a column that is not stored', 'a.json.gz', `${row}\n${'{"c7":1}\n'.repeat(200_000)}`],
      ['JSON without lines of text', 'a.json.gz', `${row}${'\n'.repeat(200_000)}`],
      ['CSV without lines of text', 'a.csv.gz', `date,clicks,impressions,position\n${'\n'.repeat(200_000)}2026-07-01,1,1,1\n`],
    ]),
  ] as const)('are read up to a limit, not for hours: %s', async (_form, name, text) => {
    const problem = await problemOf(gzipSync(text), name)
    expect(problem.message).toBe('There are more than 100,000 empty rows: delete them and try again')
  })

  test('of JSON have no fields, and the others only the fields that are stored', async () => {
    const lines = async function* () {
      yield '{"a":1,"b":2,"c":3}\n{}\n{"b":null}\n{"c":4}\n'
    }
    const records = []
    for await (const batch of readJsonLines(lines(), [], undefined, new Set([1]))) records.push(...batch)
    expect(records.map(({ fields }) => fields)).toEqual([['a', 'b', 'c'], ['', '2', ''], [], [], ['', '', '']])
  })
})

test('lines of JSON become records in turns with other requests, however many there are in a piece of a file', async () => {
  const lines = async function* () {
    yield '{"a":1}\n'.repeat(30_000)
  }
  let [turns, records] = [0, 0]
  let next = setImmediate(function turn() {
    turns += 1
    next = setImmediate(turn)
  })
  for await (const batch of readJsonLines(lines(), [])) records += batch.length
  clearImmediate(next)
  expect(records).toBe(30_001)
  expect(turns).toBeGreaterThanOrEqual(29)
})

describe('summed rows', () => {
  const types: SearchType[] = ['web', 'image', 'video', 'news', 'discover', 'googleNews']
  const perType = 2_000
  const name = 'a'.repeat(2_000)

  async function* rows(): AsyncGenerator<ImportedRow[]> {
    for (let at = 0; at < perType; at += 1) {
      const values = [`${name}${at}`, `${name}${at}`]
      yield types.map((searchType) => ({ searchType, date: '2026-07-01', values, clicks: 1, impressions: 2, position: 3 }))
    }
  }

  test('are written before their names fill the memory, however many grains and search types they have, and no click is lost', async () => {
    let [given, written, most, clicks] = [0, 0, 0, 0]
    const write = async (grain: string, some: readonly FactRow[]) => {
      for (const row of some) written += lettersOf(row.keys)
      if (grain === 'query_page') clicks += some.reduce((sum, row) => sum + row.clicks, 0)
    }
    async function* counted(): AsyncGenerator<ImportedRow[]> {
      for await (const batch of rows()) {
        most = Math.max(most, given - written)
        // A query, a page, and a pair of them.
        for (const { values } of batch) given += 2 * lettersOf(values.map(String))
        yield batch
      }
    }
    const dimensions: Part['dimensions'] = ['query', 'page']
    const part = { dimensions, grains: () => derivable(dimensions), asLast: [], isCounted: true, rows: counted() }
    const upload = { parts: [part], size: 1, site: () => undefined, notes: () => [], close: () => {} }
    const load = { target: { property: 1, searchType: 'web', load: 1 }, write, written: () => new Map() } as Partial<Load> as Load
    await loadRows(upload, {
      facts: { beginLoad: async () => load } as Partial<FactsStore> as FactsStore,
      propertyId: 1,
      isWanted: () => true,
    })
    expect(clicks).toBe(types.length * perType)
    expect(written).toBe(given)
    expect(most).toBeLessThan(48 * MiB)
  })

  test('are inserted in limited batches and encoded in short turns', async () => {
    const inserts: number[] = []
    const pieces: number[] = []
    const insert = async ({ values }: { values: Readable }) => {
      let size = 0
      for await (const piece of values as AsyncIterable<Buffer>) {
        pieces.push(piece.length)
        size += piece.length
      }
      inserts.push(size)
    }
    const load = beginLoad({ insert } as unknown as ClickHouseClient, { property: 1, searchType: 'web', load: 1 })
    const row = { date: '2026-07-01', keys: [name, name], clicks: 1, impressions: 2, position: 3 }
    await load.write(
      'query_page',
      Array.from({ length: 10_000 }, () => row),
    )
    expect(load.written('query_page').get('2026-07-01')).toEqual({ rows: 10_000, clicks: 10_000, impressions: 20_000 })
    expect(inserts.length).toBeGreaterThan(1)
    expect(Math.max(...inserts)).toBeLessThan(17 * MiB)
    expect(Math.max(...pieces)).toBeLessThan(1.1 * MiB)
  })
})
