import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { EncodedRows } from '../facts/encode.ts'
import { insertRows, type Load } from '../facts/load.ts'
import { rowLimit } from '../google/search-console.ts'
import { askFor } from './ask-google.ts'
import { fetchChunk } from './fetch-chunk.ts'

// Work that depends on something else never starts before it, however long that takes.

const day = '2026-03-17'

test('Google is asked once the quota has room, not before', async () => {
  const room = Promise.withResolvers<void>()
  const asked: string[] = []
  const ask = askFor(
    {
      quota: { wait: () => room.promise, holdBack: async () => {} },
      connections: { accessToken: async () => ({ ok: true, value: 'token' }), forgetAccessToken: async () => {} },
      retry: { attempts: 1, baseMs: 1, random: () => 0 },
    },
    { userId: 'ann', name: 'https://site.example/' },
  )
  const answer = ask(async (token) => {
    asked.push(token)
    return { ok: true, value: 'figures' }
  })
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  expect(asked).toEqual([])
  room.resolve()
  expect(await answer).toEqual({ ok: true, value: 'figures' })
  expect(asked).toEqual(['token'])
})

test('days are published once all of their rows are stored, those of full inserts and the rest', async () => {
  const target = { property: 1, searchType: 'web', load: 1 } as const
  const done: string[] = []
  const load: Load = {
    target,
    write: async () => {},
    async writeEncoded(grain, batches) {
      const rows = batches.reduce((sum, batch) => sum + batch.rows, 0)
      // More rows take longer.
      for (let turn = 0; turn < (rows < insertRows ? 5 : 50); turn += 1) await nextTurn()
      done.push(`${grain} ${rows}`)
    },
    publish: async () => void done.push('published'),
    written: () => new Map(),
  }
  const page = (rows: number): EncodedRows => ({ text: new Uint8Array(), rows, days: [[day, { rows, clicks: rows, impressions: rows }]] })
  // Two full pages of one grain make one insert.
  const source = {
    rows: async () => ({ ok: true as const, value: { rows: [] } }),
    page: async ({ dimensions, startRow }: { dimensions: readonly string[]; startRow: number }) => ({
      ok: true as const,
      value: page(dimensions.length < 3 ? 1 : startRow < insertRows ? rowLimit : 0),
    }),
  }
  expect(await fetchChunk(source, load, { chunk: { from: day, to: day }, searchType: 'web' })).toEqual({ ok: true, value: null })
  expect(done.at(-1)).toBe('published')
  expect(done.toSorted()).toEqual(['country 1', 'device 1', 'page 1', 'published', 'query 1', `query_page ${insertRows}`, 'total 1'])
})
