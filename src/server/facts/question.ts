import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { z } from 'zod'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import {
  exceededDisk,
  exceededMemory,
  exceededTime,
  isTooLarge,
  ofClickHouse,
  reasonOf,
  TookTooLong,
  TooMuchAtOnce,
} from '../platform/clickhouse/clickhouse-errors.ts'
import { commandSeconds } from '../platform/clickhouse/clickhouse-server.ts'

/** The scope of every question: one property, one search type, whole days from start to end. */
export type Scope = { property: number; searchType: SearchType; start: IsoDate; end: IsoDate }

/**
 * Maximum size of one answer in bytes, as ClickHouse counts them: names in UTF-8, a number as up to eight. Ordinary lists stay below a
 * megabyte or two, but imported names may have thousands of characters.
 */
const usualBytes = 16 * 1024 ** 2

/** A name as plain text: if it is in several rows, each of them counts toward the answer's bytes. */
export const asText = (key: string): string => `CAST(${key}, 'String')`

type Question<Row> = {
  sql: string
  row: z.ZodType<Row>
  params: Record<string, unknown>
  threads?: number
  settings?: ClickHouseSettings
  /** For answers that are mostly numbers, and of which few are in memory at once. */
  mostBytes?: number
}

/** For questions of jobs that nobody waits for: they may take as long as statements that change data, and leave most threads to others. */
export const unhurried = { threads: 1, settings: { max_execution_time: commandSeconds } } as const

/**
 * Asks one question and parses its rows; a row that the schema refuses is a bug and throws.
 * @throws TooMuchAtOnce before any of the answer is read, TookTooLong
 */
export async function askWith<Row>(client: ClickHouseClient, question: Question<Row>): Promise<Row[]> {
  try {
    const answer = await client.query({
      query: question.sql,
      query_params: question.params,
      format: 'JSONEachRow',
      clickhouse_settings: {
        output_format_json_quote_64bit_integers: 0,
        max_result_bytes: String(question.mostBytes ?? usualBytes),
        result_overflow_mode: 'throw',
        ...(question.threads && { max_threads: question.threads }),
        ...question.settings,
      },
    })
    const rows: Row[] = []
    // One by one, so that an answer isn't also in memory as text and as other objects.
    for await (const some of answer.stream()) for (const each of some) rows.push(question.row.parse(each.json()))
    return rows
  } catch (error) {
    // An answer may still break off after it began.
    if (isTooLarge(error)) throw new TooMuchAtOnce({ cause: error })
    throw asTooLong(error)
  }
}

const asTooLong = (error: unknown): unknown =>
  exceededTime(error) || exceededMemory(error) || exceededDisk(error)
    ? new TookTooLong(reasonOf(error), { cause: error })
    : ofClickHouse(error)

/** A statement's answer. @throws TookTooLong */
export const inTime = <T>(answer: Promise<T>): Promise<T> => answer.catch((error: unknown) => Promise.reject(asTooLong(error)))

const named = z.object({ name: z.string() })

/** The database that the statements of this client are about; a server's own tables list those of all. */
export async function databaseOf(client: ClickHouseClient): Promise<string> {
  const [here] = await askWith(client, { sql: 'SELECT currentDatabase() AS name', row: named, params: {} })
  return here?.name ?? 'default'
}
