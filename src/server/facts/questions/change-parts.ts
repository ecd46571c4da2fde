import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { CtrCurve } from '../../../core/analytics/ctr-curve.ts'
import { isBrandSql } from './brand-sql.ts'
import { comparedDays, comparedSums } from './compared-figures.ts'
import type { Span } from '../current.ts'
import { curveAt } from './opportunity-sql.ts'
import { askWith } from '../question.ts'
import { type Grain, tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { positionSql } from './window-columns.ts'

/** What changed: the whole site, a page, or a query. */
export type ChangeOf = { kind: 'site' } | { kind: 'page' | 'query'; name: string }

export type ChangeQuestion = {
  property: number
  of: ChangeOf
  current: Span
  /** Before the current period; `scale` adjusts its sums to as many days. */
  previous: Span
  scale: number
  /** For all requested grains and both periods. */
  loads: readonly StoredLoad[]
}

/** What a change is broken down by; `site` means no breakdown. */
export type Split = 'site' | 'page' | 'query' | 'device' | 'country' | 'brand'

/** The grain that shows how much of a change is where. */
export function grainOfSplit(of: ChangeOf, split: Split): Grain {
  if (split === 'site') return of.kind === 'site' ? 'total' : of.kind
  if (of.kind !== 'site') return 'query_page'
  return split === 'brand' ? 'query' : split
}

const nameColumns: Record<Split, string> = {
  site: `''`,
  page: 'toString(f.page)',
  query: 'f.query',
  device: 'toString(f.device)',
  country: 'toString(f.country)',
  brand: `if(${isBrandSql('f.query')}, 'brand', 'other')`,
}

const moved = z.object({ name: z.string(), current: z.number(), previous: z.number() })
export type Moved = z.infer<typeof moved>

/**
 * Where a change happened: largest moves in the change's direction first, moves in the other direction last. Web search only.
 * @param sign 1 for a rise, −1 for a fall
 */
export async function mostMoved(
  client: ClickHouseClient,
  question: ChangeQuestion & { metric: 'clicks' | 'impressions'; split: Split; sign: number; limit: number; brandTerms: readonly string[] },
): Promise<Moved[]> {
  const { split, metric, limit, sign, brandTerms } = question
  const sum = (when: string) => `toFloat64(sumIf(f.${metric}, f.date ${when} {from:Date}))`
  const sql = `SELECT name, current, previous FROM (
      SELECT ${nameColumns[split]} AS name, ${sum('>=')} AS current, ${sum('<')} * {scale:Float64} AS previous
      FROM ${sourceOf(question, grainOfSplit(question.of, split))} GROUP BY name)
    WHERE current != previous ORDER BY {sign:Int8} * (current - previous) DESC, name LIMIT {limit:UInt32}`
  return askWith(client, { sql, row: moved, params: { ...paramsOf(question), limit, sign, brandTerms: [...brandTerms] } })
}

const parts = z.object({ demand: z.number(), position: z.number(), ctr: z.number(), shown: z.number() })

/** The change in clicks of all queries that Google names, by its parts: the sum of `namedParts` in core. Web search only. */
export async function clicksParts(
  client: ClickHouseClient,
  question: ChangeQuestion & { curve: CtrCurve },
): Promise<z.infer<typeof parts>> {
  const grain = question.of.kind === 'page' ? 'query_page' : 'query'
  const effect = (a: string, b: string) => `((${a}0 * ${b}0 + ${a}1 * ${b}1) / 3 + (${a}0 * ${b}1 + ${a}1 * ${b}0) / 6)`
  const partOf = (factor: string, a: string, b: string) => `sum(if(both, (${factor}1 - ${factor}0) * ${effect(a, b)}, 0))`
  const sql = `SELECT ${partOf('i', 'f', 'q')} AS demand, ${partOf('f', 'i', 'q')} AS position, ${partOf('q', 'i', 'f')} AS ctr,
      sum(if(both, 0, c1 - c0)) AS shown
    FROM (SELECT *, if(both, c0 / i0 / f0, 0) AS q0, if(both, c1 / i1 / f1, 0) AS q1
      FROM (SELECT clicks AS c1, before_clicks * {scale:Float64} AS c0, impressions AS i1, before_impressions * {scale:Float64} AS i0,
          i0 > 0 AND i1 > 0 AS both, ranked > 0 AND before_ranked > 0 AS known,
          if(known, ${curveAt('now')}, 1) AS f1, if(known, ${curveAt('before')}, 1) AS f0
        FROM (SELECT *, ${positionSql()} AS now, ${positionSql('before_')} AS before
          FROM (SELECT f.query AS query, ${comparedSums} FROM ${sourceOf(question, grain)} GROUP BY query))))`
  const [found] = await askWith(client, { sql, row: parts, params: { ...paramsOf(question), curve: [...question.curve] } })
  return found ?? { demand: 0, position: 0, ctr: 0, shown: 0 }
}

function sourceOf({ loads, current, previous, of }: ChangeQuestion, grain: Grain): string {
  const some = loads.filter((load) => load.grain === grain)
  return `${tableOf(grain)} AS f WHERE ${onStoredLoads(some, [current, previous])}${of.kind === 'site' ? '' : ` AND f.${of.kind} = {of:String}`}`
}

const paramsOf = ({ property, of, current, previous, scale }: ChangeQuestion) => ({
  property,
  scale,
  ...comparedDays({ current, previous }),
  ...(of.kind !== 'site' && { of: of.name.toWellFormed() }),
})
