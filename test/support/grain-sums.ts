import type { ClickHouseClient } from '@clickhouse/client'
import { expect } from 'vitest'
import type { SearchType } from '../../src/contract/common.ts'
import { type Grain, grainDimensions, grains, tableOf } from '../../src/server/facts/schema.ts'
import { grainsOf } from '../../src/server/sync/sync-plan.ts'
import type { TestApp } from './app.ts'
import type { Control } from './google-control.ts'
import { propertyId } from './people.ts'

/** Rows, clicks and impressions of each day of each grain; days without rows are absent. */
export type GrainSums = Record<Grain, Record<string, { rows: number; clicks: number; impressions: number }>>

/** Of web search unless another type is given. */
export type Span = { start: string; end: string; dataState?: 'all' | 'final'; type?: SearchType }

/** What Google has: each grain is requested separately, because their sums differ by design. */
export async function sumsAtGoogle(
  google: Control,
  site: string,
  { start, end, dataState = 'all', type = 'web' }: Span,
): Promise<GrainSums> {
  const sums = emptySums()
  const add = async (grain: Grain): Promise<void> => {
    const dims = ['date', ...grainDimensions[grain]].join(',')
    for (const { keys, clicks, impressions } of (await google.totals({ site, start, end, dims, dataState, type })).rows) {
      const day = (sums[grain][keys[0] ?? ''] ??= { rows: 0, clicks: 0, impressions: 0 })
      day.rows += 1
      day.clicks += clicks
      day.impressions += impressions
    }
  }
  await Promise.all(grainsOf(type).map(add))
  return sums
}

/** What readers of the facts see: the current load of each day. */
export async function sumsStored(
  client: ClickHouseClient,
  site: { property: number },
  { start, end, type = 'web' }: Span,
): Promise<GrainSums> {
  const sums = emptySums()
  const ofGrain = (grain: Grain) => `SELECT '${grain}' AS grain, toString(date) AS day, count() AS rows, sum(clicks) AS clicks,
      sum(impressions) AS impressions FROM ${tableOf(grain)}
    WHERE property = {property:UInt64} AND type = '${type}' AND date BETWEEN {start:Date} AND {end:Date} AND (date, load) IN (
      SELECT date, max(load) FROM facts_current
      WHERE property = {property:UInt64} AND type = '${type}' AND grain = '${grain}' GROUP BY date)
    GROUP BY date`
  // One after the other, each on one thread, they need the least CPU time.
  const answer = await client.query({
    query: grains.map(ofGrain).join(' UNION ALL '),
    query_params: { property: site.property, start, end },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_threads: 1 },
  })
  for (const { grain, day, ...figures } of await answer.json<GrainDay>()) sums[grain][day] = figures
  return sums
}

type GrainDay = { grain: Grain; day: string; rows: number; clicks: number; impressions: number }

const emptySums = (): GrainSums => Object.fromEntries(grains.map((grain) => [grain, {}])) as GrainSums

/** Every grain of every day is stored exactly as Google has it now. */
export async function expectStoredAsAtGoogle(app: TestApp, site: string, span: Span): Promise<void> {
  const { clickhouse } = await app.stores()
  expect(await sumsStored(clickhouse, { property: await propertyId(app, site) }, span)).toEqual(await sumsAtGoogle(app.google, site, span))
}
