import { layoutOf } from '../../src/server/facts/layout.ts'
import { createFactsTables, tableStatements } from '../../src/server/facts/schema.ts'
import { createFactsStore, type FactsStore } from '../../src/server/facts/store.ts'
import { type ClickHouseClient, openClickHouse } from '../../src/server/platform/clickhouse/clickhouse.ts'
import { type ClickHouseFront, startClickHouseFront } from './clickhouse-front.ts'
import { silentLog } from './platform.ts'

export const clusterName = 'two'

/** A ClickHouse whose cluster has two shards; the engine itself queries them, merges the results and routes rows. */
export const startCluster = (): Promise<ClickHouseFront> =>
  startClickHouseFront({
    cluster: clusterName,
    shardedTables: tableStatements(layoutOf(clusterName)).flatMap((sql) => /EXISTS (\w+_local) /.exec(sql)?.[1] ?? []),
  })

export type ClusterFacts = { facts: FactsStore; client: ClickHouseClient; close(): Promise<void> }

/** The facts store on such a cluster, with the server's settings and more. */
export async function openClusterFacts(
  front: ClickHouseFront,
  more: object = {},
  nextLoad = () => Promise.resolve(0),
): Promise<ClusterFacts> {
  const layout = layoutOf(clusterName)
  const settings = { ...layout.settings, ...more }
  const { client, close } = await openClickHouse({ clickhouseUrl: front.url, settings, dataDir: '', memoryBytes: 0, log: silentLog })
  await createFactsTables(client, layout)
  return { client, close, facts: createFactsStore(client, nextLoad, layout) }
}
