import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askSettled } from '../ask-settled.ts'
import { onCurrentDaysOf, type Span, withinSpans } from '../current.ts'
import { tableOf } from '../schema.ts'

const row = z.object({ property: z.number(), country: z.string() })

/** How many days of clicks determine a property's country. */
export const countryDays = 365

/** The country with the most clicks for each property, as Search Console names it; absent if there were none. Web search only. */
export async function topCountries(client: ClickHouseClient, properties: readonly number[], span: Span): Promise<Map<number, string>> {
  const rows = await askSettled(client, {
    grain: 'country',
    sql: `SELECT f.property AS property, f.country AS country FROM ${tableOf('country')} AS f
      WHERE ${onCurrentDaysOf('country', withinSpans([span]))}
      GROUP BY property, country HAVING sum(f.clicks) > 0 ORDER BY property, sum(f.clicks) DESC, country LIMIT 1 BY property`,
    row,
    params: { properties: [...properties], type: 'web' },
  })
  return new Map(rows.map(({ property, country }) => [property, country]))
}
