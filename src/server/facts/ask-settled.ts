import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askInTime, type Within } from './filter-sql.ts'
import { askWith } from './question.ts'
import type { Grain } from './schema.ts'

const row = z.object({ mark: z.string() })
/** A load published while a query runs causes a retry; this is the maximum number of attempts. */
const attempts = 10
const unfiltered = { where: [], brandTerms: [] }

/**
 * The latest marks, by what they are of. One from before is as good as a new one, since an answer counts only if the mark afterwards is
 * still the same; but an old one is likelier to be out of date, which costs an attempt.
 */
const seen = new WeakMap<ClickHouseClient, Map<string, { mark: string; at: number }>>()
const seenFor = { ms: 60_000, marks: 64 }

type Asked = { properties: readonly number[]; type: string }

export type SettledQuestion<Row> = {
  grain: Grain
  /** Filters that a person made up may take too long. */
  within?: Within | null | undefined
  sql: string
  row: z.ZodType<Row>
  params: Record<string, unknown> & Asked
  mostBytes?: number
}

/**
 * Asks one question about many properties that finds the current loads within its own statement (`onCurrentDaysOf`), as they are too many
 * to list. The engine fixes which facts a statement sees before it reads other tables, so it could find a load whose rows it doesn't see
 * (docs/decisions/0003); an answer counts only if no load was published meanwhile.
 * @throws Error if loads are published all the time; a question about fewer properties has better chances
 * @throws TookTooLong
 */
export async function askSettled<Row>(client: ClickHouseClient, { grain, within, ...question }: SettledQuestion<Row>): Promise<Row[]> {
  let before = lately(client, keyOf(grain, question.params)) ?? (await markOf(client, grain, question.params))
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const rows = await askInTime(client, within ?? unfiltered, question)
    const after = await markOf(client, grain, question.params)
    if (after === before) return rows
    before = after
  }
  throw new Error('New days are being stored for these properties; their data cannot be read right now')
}

/** Changes whenever another load becomes current. */
async function markOf(client: ClickHouseClient, grain: Grain, { properties, type }: Asked): Promise<string> {
  const sql = `SELECT toString(sum(cityHash64(property, date, newest))) AS mark FROM (
    SELECT c.property AS property, c.date AS date, max(c.load) AS newest FROM facts_current AS c
    WHERE c.property IN {properties:Array(UInt64)} AND c.type = {type:String} AND c.grain = {grain:String} GROUP BY property, date)`
  const [found] = await askWith(client, { sql, row, params: { properties: [...properties], type, grain } })
  const mark = found?.mark ?? ''
  remember(client, keyOf(grain, { properties, type }), mark)
  return mark
}

const keyOf = (grain: Grain, { properties, type }: Asked): string => `${grain} ${type} ${properties.join()}`

function lately(client: ClickHouseClient, key: string): string | undefined {
  const found = seen.get(client)?.get(key)
  return found && performance.now() - found.at < seenFor.ms ? found.mark : undefined
}

function remember(client: ClickHouseClient, key: string, mark: string): void {
  const marks = seen.get(client) ?? new Map<string, { mark: string; at: number }>()
  seen.set(client, marks)
  // Written last, so that the first is the oldest.
  marks.delete(key)
  marks.set(key, { mark, at: performance.now() })
  const [oldest] = marks.keys()
  if (marks.size > seenFor.marks && oldest !== undefined) marks.delete(oldest)
}
