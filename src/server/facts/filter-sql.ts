import { patternWork } from '../../core/analytics/pattern-size.ts'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { z } from 'zod'
import type { SearchType } from '../../contract/common.ts'
import { type Filter, type FilterField, isBound } from '../../contract/explore/explore.ts'
import { ClickHouseUnavailable, TookTooLong } from '../platform/clickhouse/clickhouse-errors.ts'
import { brandParams, isBrandSql } from './questions/brand-sql.ts'
import { decodedSql, holdsText, mayBeEncoded, positionSql } from './questions/window-columns.ts'
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
export const textConditions = ({ where, brandTerms }: Filtering, prefix = 'f.'): string[] =>
  where.flatMap((filter, at) => (isBound(filter.operator) ? [] : [textSql(filter, at, prefix, brandTerms)]))

/** The conditions on a row's sums. The question binds `filterParams`. */
export const figureConditions = ({ where }: Filtering, prefix = ''): string[] =>
  where.flatMap((filter, at) => (isBound(filter.operator) ? [boundSql(filter, at, prefix)] : []))

export const filterParams = ({ where, brandTerms }: Filtering): Record<string, unknown> => ({
  ...brandParams(brandTerms),
  ...Object.fromEntries(where.map(({ operator, value }, at) => [`value${at}`, isBound(operator) ? Number(value) : value])),
})

function textSql({ field, not, operator, value }: Filter, at: number, prefix: string, brandTerms: readonly string[]): string {
  if (field === 'brand') return `${(value === 'yes') === not ? 'NOT ' : ''}${isBrandSql(`${prefix}query`, brandTerms)}`
  if (!isColumn(field)) throw new Error(`${field} is not a column`)
  const column = prefix + field
  const given = `{value${at}:String}`
  const found = (text: string): string =>
    ({
      contains: holdsText(text, `value${at}`),
      is: `${text} = ${given}`,
      starts: `startsWith(${text}, ${given})`,
      matches: `match(${text}, ${given})`,
      from: '',
      to: '',
    })[operator]
  return `${not ? 'NOT ' : ''}(${found(column)}${isReadDecoded({ field, operator, value }) ? ` OR ${found(decodedSql(column))}` : ''})`
}

/** Whether a filter also looks at pages as people read them. An expression's own signs aren't what it looks for. */
const isReadDecoded = ({ field, operator, value }: Pick<Filter, 'field' | 'operator' | 'value'>): boolean =>
  field === 'page' && (operator === 'matches' ? /[^\0-\x7f]/.test(value) : mayBeEncoded(value))

/** Divided once: 29 of 100 are 29%, while 100 times 0.29 is a little less. */
const percentSql = (prefix: string): string => `if(${prefix}impressions = 0, 0, 100 * ${prefix}clicks / ${prefix}impressions)`

function boundSql({ field, operator }: Filter, at: number, prefix: string): string {
  const figure = {
    clicks: `${prefix}clicks`,
    impressions: `${prefix}impressions`,
    ctr: percentSql(prefix),
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
 * What the filters and brand terms of a question cost together for a single name, in units of which a name of 2,048 characters takes 63
 * microseconds each in the worst case measured (decisions 0102, 0110). Every operator has its share here, so that none is forgotten.
 */
export const filterWork = ({ where, brandTerms }: Filtering): number =>
  where.reduce((sum, filter) => sum + workOf(filter) * (isReadDecoded(filter) ? 2 : 1), brandTerms.length / 10)
const workOf = ({ operator, value }: Filter): number => (operator === 'matches' ? patternWork(value) : workOfOperator[operator])
/** A text is folded before it is searched; a brand's terms are counted once, however many filters name them. */
const workOfOperator = { contains: 2, is: 1, starts: 1, from: 1, to: 1 } as const

/**
 * The engine stops after this many seconds. It checks the time only between blocks of rows, so blocks are smaller if a single row may take
 * long.
 */
function inTime(filtering: Filtering): ClickHouseSettings {
  const hasPattern = filtering.where.some(({ operator }) => operator === 'matches')
  const mostRows = Math.max(1, Math.floor(workOfBlock / Math.max(1, filterWork(filtering))))
  return {
    max_execution_time: 20,
    max_block_size: String(Math.min(hasPattern ? blockOfPattern : usualBlock, mostRows)),
    // With it, statements ran for minutes past their time when measured, whatever the size of a block (decision 0102).
    ...(hasPattern && { use_query_condition_cache: 0 }),
  }
}
/** A block of the longest names takes eight seconds at most. Smaller blocks take twice as long for the names that people have. */
const workOfBlock = 131_072
/** ClickHouse's own. */
const usualBlock = 65_409
const blockOfPattern = 8_192

/** The client's own words when a server doesn't answer within its time: for a question like this, its filters are to blame. */
const gaveUp = 'Timeout error.'

/** Asks a question with filters that a person made up, and with these brand terms. @throws TookTooLong */
export async function askInTime<Row>(
  client: ClickHouseClient,
  { where, brandTerms }: Filtering,
  question: Parameters<typeof askWith<Row>>[1],
): Promise<Row[]> {
  try {
    return await askWith(client, { ...question, settings: inTime({ where, brandTerms }) })
  } catch (error) {
    const reason = error instanceof ClickHouseUnavailable ? error.cause : error
    if (reason instanceof Error && reason.message === gaveUp) throw new TookTooLong(gaveUp, { cause: error })
    throw error
  }
}
