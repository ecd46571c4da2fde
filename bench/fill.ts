import { addDays, eachDay } from '../src/core/analytics/days.ts'
import { type Grain, grainDimensions, tableOf } from '../src/server/facts/schema.ts'
import type { Stores } from '../src/server/stores/stores.ts'

type Filled = {
  /** The properties with the numbers `from` to `from + count - 1`. */
  from: number
  count: number
  first: string
  days: number
  /** How many names each grain has on every day. */
  names: Partial<Record<Grain, number>>
  /** Three times the impressions a day of the first name of each grain; the others have ever fewer. */
  impressions?: number
  /** From a day on every so many-th property has less than half of its clicks; absent: none. */
  weak?: { every: number; from: string }
}

/** Facts as a sync leaves them, with figures that vary from day to day, made by the engine itself and so in seconds. */
export async function fillFacts(clickhouse: Stores['clickhouse'], filled: Filled): Promise<void> {
  for (const [grain, names] of Object.entries(filled.names) as [Grain, number][]) await fillGrain(clickhouse, filled, grain, names)
}

async function fillGrain(clickhouse: Stores['clickhouse'], filled: Filled, grain: Grain, names: number): Promise<void> {
  const { from, count, first, days, weak, impressions = 3_000 } = filled
  const factor = weak ? `if(property % ${weak.every} = 0 AND toDate('${first}') + d >= toDate('${weak.from}'), 0.4, 1)` : '1'
  const dimensions = grainDimensions[grain].map((dimension) => `'${dimension} ' || toString(k), `).join('')
  await clickhouse.command({
    query: `INSERT INTO ${tableOf(grain)}
      SELECT ${from} + intDiv(number, ${days * names}) AS property, 'web', toDate('${first}') + d, 1, ${dimensions}
        least(c * ${factor}, i), i, i * (3 + k % 20) AS p
      FROM (SELECT number, intDiv(number % ${days * names}, ${names}) AS d, number % ${names} AS k,
        toUInt32(${impressions} / (k + 3) * (0.9 + 0.2 * (cityHash64(number) % 1000) / 1000)) AS i, toUInt32(i * 0.05 * (0.8 + 0.4 * (cityHash64(number, 1) % 1000) / 1000)) AS c
        FROM numbers(${count * days * names}))`,
  })
  const dates = eachDay(first, addDays(first, days - 1))
  await clickhouse.insert({
    table: 'facts_current',
    values: Array.from({ length: count }, (_, at) =>
      dates.map((date) => ({ property: from + at, type: 'web', grain, date, load: 1, rows: names, clicks: 1, impressions: 1 })),
    ).flat(),
    format: 'JSONEachRow',
  })
}
