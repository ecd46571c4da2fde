import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { CtrCurve } from '../../../core/analytics/ctr-curve.ts'
import { type Compared, type Fraction, rateOf } from '../../../core/alerting/rate-parts.ts'
import { brandParams, isBrandSql } from './brand-sql.ts'
import { comparedDays, comparedSums } from './compared-figures.ts'
import type { Span } from '../current.ts'
import { curveAt } from './opportunity-sql.ts'
import { askWith } from '../question.ts'
import { type Grain, tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { positionSql } from './window-columns.ts'

/** What changed: the whole site, a page, or a query. */
export type ChangeOf = { kind: 'site' } | { kind: 'page' | 'query'; name: string }
/** The same, or some queries together. */
export type RateChangeOf = ChangeOf | { kind: 'queries'; names: readonly string[] }

export type ChangeQuestion<Of = ChangeOf> = {
  property: number
  of: Of
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
export function grainOfSplit(of: RateChangeOf, split: Split): Grain {
  if (of.kind === 'queries') return 'query'
  if (split === 'site') return of.kind === 'site' ? 'total' : of.kind
  if (of.kind !== 'site') return of.kind === split ? split : 'query_page'
  return split === 'brand' ? 'query' : split
}

const nameColumns = (brandTerms: readonly string[]): Record<Split, string> => ({
  site: `''`,
  page: 'toString(f.page)',
  query: 'f.query',
  device: 'toString(f.device)',
  country: 'toString(f.country)',
  brand: `if(${isBrandSql('f.query', brandTerms)}, 'brand', 'other')`,
})

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
      SELECT ${nameColumns(brandTerms)[split]} AS name, ${sum('>=')} AS current, ${sum('<')} * {scale:Float64} AS previous
      FROM ${sourceOf(question, grainOfSplit(question.of, split))} GROUP BY name)
    WHERE current != previous ORDER BY {sign:Int8} * (current - previous) DESC, name LIMIT {limit:UInt32}`
  return askWith(client, { sql, row: moved, params: { ...paramsOf(question), limit, sign, ...brandParams(brandTerms) } })
}

const parts = z.object({ demand: z.number(), position: z.number(), ctr: z.number(), shown: z.number() })

/**
 * The change in clicks of all queries that Google names, by its parts, which add up to it. `demand`: more or fewer impressions; `position`:
 * what the curve gives for places won or lost; `ctr`: more or fewer clicks at the same place; `shown`: queries that appear or disappear.
 * A query's clicks are impressions × the position's usual CTR × how far its own CTR deviates from it; each factor gets its mean effect over
 * all orders in which the three could have changed (Shapley value; Sun 1998 calls it refined Laspeyres). Unlike logarithmic weights this
 * works for figures of 0, which are the majority. Web search only.
 */
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

type RateQuestion = ChangeQuestion<RateChangeOf> & { metric: 'ctr' | 'position'; split: Split; brandTerms: readonly string[] }

/** The sums that a CTR or position is the quotient of, before and now, from `comparedSums`. */
const quotient = {
  ctr: 'clicks AS n1, impressions AS d1, before_clicks AS n0, before_impressions AS d0',
  position: 'position_sum AS n1, ranked AS d1, before_position_sum AS n0, before_ranked AS d0',
}

const rateSums = z.object({ n1: z.number(), d1: z.number(), n0: z.number(), d0: z.number() })

/** The sums behind a CTR or position over everything a split has. Web search only. */
export async function rateTotals(client: ClickHouseClient, question: RateQuestion): Promise<Compared<Fraction>> {
  const sql = `SELECT ${quotient[question.metric]} FROM (SELECT ${comparedSums} FROM ${sourceOf(question, grainOfSplit(question.of, question.split))})`
  const [found] = await askWith(client, { sql, row: rateSums, params: paramsOf(question) })
  const { n1, d1, n0, d0 } = found ?? { n1: 0, d1: 0, n0: 0, d0: 0 }
  return { before: { sum: n0, of: d0 }, now: { sum: n1, of: d1 } }
}

const rateMove = rateSums.extend({
  name: z.string(),
  rate: z.number(),
  mix: z.number(),
  /** The part of `rate` due to other positions; 0 for the metric itself. */
  moved: z.number(),
  allRate: z.number(),
  allMix: z.number(),
  allMoved: z.number(),
})
export type RateMove = z.infer<typeof rateMove>

/**
 * What each part contributes to the change of a CTR or position (`ratePartsOf` in core), largest contributions in the direction of `sign`
 * first, each with the sums over all parts. Web search only.
 * @param curve to tell other positions from another CTR at the same ones
 */
export async function rateMoves(
  client: ClickHouseClient,
  question: RateQuestion & { whole: Compared<Fraction>; sign: number; limit: number; curve: CtrCurve },
): Promise<RateMove[]> {
  const { split, metric, whole, sign, limit, curve, brandTerms } = question
  const isRanked = metric === 'ctr' ? 'd1 > 0 AND d0 > 0 AND ranked > 0 AND before_ranked > 0' : 'false'
  const sql = `SELECT *, sum(rate) OVER () AS allRate, sum(mix) OVER () AS allMix, sum(moved) OVER () AS allMoved
    FROM (SELECT name, toFloat64(n1) AS n1, toFloat64(d1) AS d1, toFloat64(n0) AS n0, toFloat64(d0) AS d0,
        (s0 + s1) / 2 * (r1 - r0) AS rate, (s1 - s0) * ((r0 + r1) / 2 - {usual:Float64}) AS mix,
        if(${isRanked}, (s0 + s1) / 2 * (f1 - f0) * (r0 / f0 + r1 / f1) / 2, 0) AS moved
      FROM (SELECT *, d1 / {of1:Float64} AS s1, d0 / {of0:Float64} AS s0,
          if(d1 > 0, n1 / d1, n0 / d0) AS r1, if(d0 > 0, n0 / d0, n1 / d1) AS r0, ${curveAt('at1')} AS f1, ${curveAt('at0')} AS f0
        FROM (SELECT name, ranked, before_ranked, ${quotient[metric]}, ${positionSql()} AS at1, ${positionSql('before_')} AS at0
          FROM (SELECT ${nameColumns(brandTerms)[split]} AS name, ${comparedSums} FROM ${sourceOf(question, grainOfSplit(question.of, split))} GROUP BY name))
        WHERE d1 > 0 OR d0 > 0))
    ORDER BY {sign:Int8} * (rate + mix) DESC, name LIMIT {limit:UInt32}`
  const usual = ((rateOf(whole.before) ?? 0) + (rateOf(whole.now) ?? 0)) / 2
  const params = { ...paramsOf(question), of1: whole.now.of, of0: whole.before.of, usual, sign, limit, curve: [...curve] }
  return askWith(client, { sql, row: rateMove, params: { ...params, ...brandParams(brandTerms) } })
}

function sourceOf({ loads, current, previous, of }: ChangeQuestion<RateChangeOf>, grain: Grain): string {
  const some = loads.filter((load) => load.grain === grain)
  return `${tableOf(grain)} AS f WHERE ${onStoredLoads(some, [current, previous])}${onlyOf(of)}`
}

function onlyOf({ kind }: RateChangeOf): string {
  if (kind === 'site') return ''
  return kind === 'queries' ? ' AND f.query IN {names:Array(String)}' : ` AND f.${kind} = {of:String}`
}

const paramsOf = ({ property, of, current, previous, scale }: ChangeQuestion<RateChangeOf>) => ({
  property,
  scale,
  ...comparedDays({ current, previous }),
  ...((of.kind === 'page' || of.kind === 'query') && { of: of.name.toWellFormed() }),
  ...(of.kind === 'queries' && { names: of.names.map((name) => name.toWellFormed()) }),
})
