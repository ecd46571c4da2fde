import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askWith } from './question.ts'
import type { Grain } from './schema.ts'

const row = z.object({ mark: z.string() })
/** Loads that are published while a question is answered make it be asked again; more of them at once are not to be waited out. */
const attempts = 10

export type SettledQuestion<Row> = {
  grain: Grain
  sql: string
  row: z.ZodType<Row>
  params: Record<string, unknown> & { properties: readonly number[]; type: string }
}

/**
 * Asks one question about many properties that looks for the current loads within its own statement (`onCurrentDaysOf`):
 * they are too many to be named in it. The engine fixes which facts a statement sees before it looks into other tables,
 * so that it could find a load whose rows it does not see (docs/decisions/0003); an answer counts only if no load was
 * published meanwhile.
 * @throws Error when loads are published all the time; a question about fewer properties has better chances
 */
export async function askSettled<Row>(client: ClickHouseClient, { grain, ...question }: SettledQuestion<Row>): Promise<Row[]> {
  let before = await markOf(client, grain, question.params)
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const rows = await askWith(client, question)
    const after = await markOf(client, grain, question.params)
    if (after === before) return rows
    before = after
  }
  throw new Error('New days of these properties are being stored; their figures cannot be read for now')
}

/** Another one whenever another load is current. */
async function markOf(client: ClickHouseClient, grain: Grain, { properties, type }: SettledQuestion<unknown>['params']): Promise<string> {
  const sql = `SELECT toString(sum(cityHash64(property, date, newest))) AS mark FROM (
    SELECT c.property AS property, c.date AS date, max(c.load) AS newest FROM facts_current AS c
    WHERE c.property IN {properties:Array(UInt64)} AND c.type = {type:String} AND c.grain = {grain:String} GROUP BY property, date)`
  const [found] = await askWith(client, { sql, row, params: { properties: [...properties], type, grain } })
  return found?.mark ?? ''
}
