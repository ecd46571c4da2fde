import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { IsoDate } from '../../../contract/common.ts'
import { askSettled } from '../ask-settled.ts'
import { isoDate } from '../../../contract/common.ts'
import { onCurrentDaysOf } from '../current.ts'
import { isNamed, type NamedEntity } from './entity-figures.ts'
import { tableOf } from '../schema.ts'

const row = z.object({ property: z.number(), name: z.string(), firstSeen: isoDate })
export type Newcomer = z.infer<typeof row>

export type NewcomersQuestion = {
  grain: 'page' | 'query'
  properties: readonly number[]
  /** First seen on this day or later, in all that is stored up to `through`. */
  since: IsoDate
  through: IsoDate
  /** Shown so often since then, or named. */
  impressions: number
  named: readonly NamedEntity[]
}

/** More than these of one property at once are no news but another site. */
const most = 500

/** Pages or queries that were seen for the first time: those named, then those shown most often; many properties in one question. Web search only. */
export function newcomers(client: ClickHouseClient, question: NewcomersQuestion): Promise<Newcomer[]> {
  const { grain, properties, since, through, impressions, named } = question
  const sql = `SELECT property, ${grain} AS name, min(f.date) AS firstSeen FROM ${tableOf(grain)} AS f
    WHERE ${onCurrentDaysOf(grain, 'date <= {through:Date}')}
    GROUP BY property, name
    HAVING firstSeen >= {since:Date} AND (sum(f.impressions) >= {least:UInt64} OR ${isNamed('name')})
    ORDER BY property, ${isNamed('name')} DESC, sum(f.impressions) DESC, name LIMIT ${most} BY property`
  return askSettled(client, {
    grain,
    sql,
    row,
    params: {
      properties: [...properties],
      type: 'web',
      since,
      through,
      least: impressions,
      namedProperties: named.map(({ property }) => property),
      names: named.map((each) => each.name.toWellFormed()),
    },
  })
}
