import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'vitest'
import { createFactsTables } from '../../src/server/facts/schema.ts'
import { createFactsStore, type FactsStore } from '../../src/server/facts/store.ts'
import { type ClickHouseClient, openClickHouse } from '../../src/server/platform/clickhouse/clickhouse.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { noteOpen } from './left-open.ts'

export type TestFacts = {
  facts: FactsStore
  client: ClickHouseClient
  lastLoad(): number
  nextLoad(): Promise<number>
  close(): Promise<void>
}

/** The real facts store on an empty directory, without the rest of the server. @param before creates tables as an earlier version did */
export async function openFacts(before?: (client: ClickHouseClient) => Promise<unknown>): Promise<TestFacts> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-facts-'))
  const clickhouse = await openClickHouse({ dataDir, memoryBytes: 512 * 1024 ** 2, log: createLog('error', true) })
  await (before ?? createFactsTables)(clickhouse.client)
  let load = 0
  const nextLoad = () => Promise.resolve((load += 1))
  return {
    facts: createFactsStore(clickhouse.client, nextLoad),
    client: clickhouse.client,
    lastLoad: () => load,
    nextLoad,
    close: noteOpen(async () => {
      await clickhouse.close()
      await rm(dataDir, { recursive: true, force: true })
    }),
  }
}

/** Tests in a file that share one facts store: `store`, its `facts` and its `client`. */
export const factsTest = test
  .extend('store', { scope: 'file' }, async ({}, { onCleanup }) => {
    const store = await openFacts()
    onCleanup(() => store.close())
    return store
  })
  .extend('facts', { scope: 'file' }, ({ store }) => store.facts)
  .extend('client', { scope: 'file' }, ({ store }) => store.client)
