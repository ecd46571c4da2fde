import { patternWork } from '../../core/analytics/pattern-size.ts'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { z } from 'zod'
import type { SearchType } from '../../contract/common.ts'
import { type Filter, type FilterField, isBound } from '../../contract/explore/explore.ts'
import { ClickHouseUnavailable, TookTooLong } from '../platform/clickhouse/clickhouse-errors.ts'
import { isBrandSql } from './questions/brand-sql.ts'
import { ctrSql, holdsText, positionSql } from './questions/window-columns.ts'
import { askWith } from './question.ts'
import type { Grain } from './schema.ts'

/** Filters, and the brand terms (from `compactTerms` in core) that a brand filter uses. */
export type Filtering = { where: readonly Filter[]; brandTerms: readonly string[] }

/** A search type's rows of a grain, limited by a segment's filters on texts; without filters, all of them. */
export type Within = Filtering & { type: SearchType; grain: Grain }

export const everythingOf = (type: SearchType, grain: Grain): Within => ({ type, grain, where: [], brandTerms: [] })

/** The same conditions as the end of a WHERE; nothing without a segment. The question binds `withinParams`. */
export const andWithin = (within: Within | null | undefined, prefix = 'f.'): string =>
  within
    ? textConditions(within, prefix)
        .map((each) => ` AND ${each}`)
        .join('')
    : ''
export const withinParams = (within: Within | null | undefined): Record<string, unknown> => (within ? filterParams(within) : {})

const columns = ['query', 'page', 'country', 'device', 'search_appearance'] as const
const isColumn = (field: FilterField): field is (typeof columns)[number] => columns.some((each) => each === field)

/** The conditions on a row's texts, in columns with this prefix. The question binds `filterParams`. */
export const textConditions = ({ where }: Filtering, prefix = 'f.'): string[] =>
  where.flatMap((filter, at) => (isBound(filter.operator) ? [] : [textSql(filter, at, prefix)]))

/** The conditions on a row's sums. The question binds `filterParams`. */
export const figureConditions = ({ where }: Filtering, prefix = ''): string[] =>
  where.flatMap((filter, at) => (isBound(filter.operator) ? [boundSql(filter, at, prefix)] : []))

export const filterParams = ({ where, brandTerms }: Filtering): Record<string, unknown> => ({
  brandTerms: [...brandTerms],
  ...Object.fromEntries(where.map(({ operator, value }, at) => [`value${at}`, isBound(operator) ? Number(value) : value])),
})

function textSql({ field, not, operator, value }: Filter, at: number, prefix: string): string {
  if (field === 'brand') return `${(value === 'yes') === not ? 'NOT ' : ''}${isBrandSql(`${prefix}query`)}`
  if (!isColumn(field)) throw new Error(`${field} is not a column`)
  const column = prefix + field
  const given = `{value${at}:String}`
  const found = {
    contains: holdsText(column, `value${at}`),
    is: `${column} = ${given}`,
    starts: `startsWith(${column}, ${given})`,
    matches: `match(${column}, ${given})`,
    from: '',
    to: '',
  }[operator]
  return `${not ? 'NOT ' : ''}(${found})`
}

function boundSql({ field, operator }: Filter, at: number, prefix: string): string {
  const figure = {
    clicks: `${prefix}clicks`,
    impressions: `${prefix}impressions`,
    ctr: `100 * ${ctrSql(prefix)}`,
    position: positionSql(prefix),
  }[field as 'clicks' | 'impressions' | 'ctr' | 'position']
  // An unknown position is neither good nor bad.
  const isKnown = field === 'position' ? ` AND ${prefix}ranked > 0` : ''
  return `${figure} ${operator === 'from' ? '>=' : '<='} {value${at}:Float64}${isKnown}`
}

/**
 * Whether the engine accepts a regular expression (RE2), which it then runs without backtracking, in bounded memory. Per character, it
 * may visit every position of the expression, so the size is bounded first (core/analytics/pattern-size.ts).
 */
export async function isRegex(client: ClickHouseClient, pattern: string): Promise<boolean> {
  try {
    await askWith(client, {
      sql: `SELECT match('x', {pattern:String}) AS found`,
      row: z.object({ found: z.number() }),
      params: { pattern },
    })
    return true
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'CANNOT_COMPILE_REGEXP') return false
    throw error
  }
}

/**
 * The engine stops after this many seconds. It checks the time only between blocks of rows, so blocks are smaller if a single row may take
 * long.
 */
const inTime: ClickHouseSettings = { max_execution_time: 20 }
const inTimeByPattern = (work: number): ClickHouseSettings => ({
  ...inTime,
  // With it, statements were measured to run for minutes past their time, whatever the size of a block (decision 0102).
  use_query_condition_cache: 0,
  max_block_size: String(Math.min(usualBlock, Math.max(1, Math.floor(workOfBlock / Math.max(1, work))))),
})
/**
 * In the worst case measured, a name of 2,048 characters takes 63 microseconds for each unit of work, and so a block eight seconds. Smaller
 * blocks take twice as long for the names that people have.
 */
const workOfBlock = 131_072
const usualBlock = 8_192

/** The client's own words when a server doesn't answer within its time: for a question like this, its filters are to blame. */
const gaveUp = 'Timeout error.'

/** Asks a question with filters that a person made up. @throws TookTooLong */
export async function askInTime<Row>(
  client: ClickHouseClient,
  { where }: Pick<Filtering, 'where'>,
  question: Parameters<typeof askWith<Row>>[1],
): Promise<Row[]> {
  const patterns = where.filter(({ operator }) => operator === 'matches')
  const settings = patterns.length > 0 ? inTimeByPattern(patterns.reduce((sum, { value }) => sum + patternWork(value), 0)) : inTime
  try {
    return await askWith(client, { ...question, settings })
  } catch (error) {
    const reason = error instanceof ClickHouseUnavailable ? error.cause : error
    if (reason instanceof Error && reason.message === gaveUp) throw new TookTooLong(gaveUp, { cause: error })
    throw error
  }
}
