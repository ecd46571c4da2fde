import type { ClickHouseClient } from '@clickhouse/client'
import { addDays } from '../src/core/analytics/days.ts'
import type { FactsStore } from '../src/server/facts/store.ts'
import { type ListGrain, topRows, topRowsSql } from '../test/support/top-rows.ts'
import { type Figure, percentile, timeEach } from './support.ts'
import { largeProperty } from './sync.ts'

const limit = 100
const runs = 40

/** The list queries over 90 days, against the same SQL sent directly to ClickHouse. */
export async function benchTopRows(deps: {
  facts: FactsStore
  client: ClickHouseClient
  lastDay: string
  days: number
}): Promise<Figure[]> {
  const start = addDays(deps.lastDay, 1 - deps.days)
  const scope = { property: largeProperty.id, searchType: 'web', start, end: deps.lastDay } as const
  const figures: Figure[] = []
  for (const grain of ['page', 'query', 'query_page'] as const satisfies ListGrain[]) {
    const bareSql = topRowsSql(grain, `property = ${largeProperty.id} AND type = 'web' AND date BETWEEN '${start}' AND '${deps.lastDay}'`)
    const bare = async () => {
      const answer = await deps.client.query({ query: bareSql.replace('{limit:UInt32}', String(limit)), format: 'JSONEachRow' })
      await answer.text()
    }
    const ours = () => deps.facts.ask(topRows, grain, scope, limit)
    await timeEach(3, bare)
    await timeEach(3, ours)
    // Alternating, so that a machine that slows down meanwhile slows both.
    const bareMs: number[] = []
    const oursMs: number[] = []
    for (let i = 0; i < runs; i++) {
      bareMs.push(...(await timeEach(1, bare)))
      oursMs.push(...(await timeEach(1, ours)))
    }
    const ratio = percentile(oursMs, 0.95) / percentile(bareMs, 0.95)
    figures.push({
      what: `top ${grain.replace('_', '×')} rows over ${deps.days} days, p95 vs the bare engine query (${percentile(oursMs, 0.95).toFixed(0)} ms : ${percentile(bareMs, 0.95).toFixed(0)} ms, medians ${percentile(oursMs, 0.5).toFixed(0)} : ${percentile(bareMs, 0.5).toFixed(0)})`,
      value: `${ratio.toFixed(2)} ×`,
      bar: '≤ 1.5 ×',
      met: ratio <= 1.5,
    })
  }
  return figures
}
