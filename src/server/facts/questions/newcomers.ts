import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { IsoDate } from '../../../contract/common.ts'
import { askSettled } from '../ask-settled.ts'
import { andWithin, type Within, withinParams } from '../filter-sql.ts'
import { isoDate } from '../../../contract/common.ts'
import { onCurrentDaysOf } from '../current.ts'
import { isNamed, keyOf, type NamedEntity } from './entity-figures.ts'
import { tableOf } from '../schema.ts'
import { asText } from '../question.ts'

const row = z.object({ property: z.number(), name: z.string(), firstSeen: isoDate })
export type Newcomer = z.infer<typeof row>

export type NewcomersQuestion = {
  grain: 'page' | 'query'
  properties: readonly number[]
  /** First seen on this day or later, among everything stored up to `through`. */
  since: IsoDate
  through: IsoDate
  /** At least this many impressions since then, unless named. */
  impressions: number
  named: readonly NamedEntity[]
  /** Only what a segment has of them, or a search type other than web. */
  within?: Within | null | undefined
}

/** More new ones than this in one property at once aren't new content but another site. */
const most = 500

/**
 * Pages or queries seen for the first time: named ones, then those with the most impressions; many properties in one question.
 */
export function newcomers(client: ClickHouseClient, question: NewcomersQuestion): Promise<Newcomer[]> {
  const { grain, properties, since, through, impressions, named, within } = question
  const from = within?.grain ?? grain
  const key = keyOf(grain)
  const sql = `SELECT property, ${asText(key)} AS name, min(f.date) AS firstSeen FROM ${tableOf(from)} AS f
    WHERE ${onCurrentDaysOf(from, 'date <= {through:Date}')}${andWithin(within)}
    GROUP BY property, ${key}
    HAVING firstSeen >= {since:Date} AND (sum(f.impressions) >= {least:UInt64} OR ${isNamed(key)})
    ORDER BY property, ${isNamed(key)} DESC, sum(f.impressions) DESC, ${key} LIMIT ${most} BY property`
  return askSettled(client, {
    grain: from,
    within,
    sql,
    row,
    params: {
      ...withinParams(within),
      properties: [...properties],
      type: within?.type ?? 'web',
      since,
      through,
      least: impressions,
      namedProperties: named.map(({ property }) => property),
      names: named.map((each) => each.name.toWellFormed()),
    },
  })
}
