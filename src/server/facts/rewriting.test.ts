import { expect, test } from 'vitest'
import type { ClickHouseClient } from '../platform/clickhouse/clickhouse.ts'
import type { FactsLayout } from './layout.ts'
import { rewriteWhileRoom } from './rewriting.ts'

const gib = 1024 ** 3
const layout = { beside: (table: string) => table, everywhere: (table: string) => table } as unknown as FactsLayout
const rooms = [
  { host: 'h', disk: 'full', free: gib, total: 100 * gib },
  { host: 'h', disk: 'empty', free: 90 * gib, total: 100 * gib },
]

/** A store in which each of these partitions is on one disk. */
function storeOf(sizes: readonly { table: string; id: string; disk: string; bytes: number }[]): ClickHouseClient {
  const rowsOf = (query: string) => {
    if (query.includes('system.disks')) return rooms
    return query.includes('system.parts') ? sizes.map((each) => ({ host: 'h', ...each })) : [{ name: 'facts', database: 'facts' }]
  }
  const answer = (query: string) => ({ stream: () => [rowsOf(query).map((each) => ({ json: () => each }))] })
  return { query: ({ query }: { query: string }) => Promise.resolve(answer(query)) } as never
}

async function rewrittenOf(sizes: Parameters<typeof storeOf>[0]) {
  const rewritten: string[] = []
  const unfit = await rewriteWhileRoom(storeOf(sizes), layout, [...new Set(sizes.map(({ table }) => table))], {
    look: async () => ['rows'],
    rewrite: async ({ id }) => void rewritten.push(id),
  })
  return { rewritten, unfit: unfit?.partition }
}

test('a full disk keeps no months on other disks from being rewritten', async () => {
  const sizes = [
    { table: 'facts_page', id: '202601', disk: 'full', bytes: gib },
    { table: 'facts_page', id: '202602', disk: 'empty', bytes: 2 * gib },
  ]
  expect(await rewrittenOf(sizes)).toEqual({ rewritten: ['202602'], unfit: '202601' })
})

test('rows stay while what names them cannot be rewritten', async () => {
  const sizes = [
    { table: 'facts_current', id: 'pointers', disk: 'full', bytes: gib },
    { table: 'facts_page', id: '202602', disk: 'empty', bytes: 1 },
  ]
  expect(await rewrittenOf(sizes)).toEqual({ rewritten: [], unfit: 'pointers' })
})
