import type { SearchType } from '../../../contract/common.ts'
import type { Filter } from '../../../contract/explore/explore.ts'
import { compactTerms } from '../../../core/analytics/brand.ts'
import { grainOfExploration } from '../../../core/analytics/exploration.ts'
import { patternSize } from '../../../core/analytics/pattern-size.ts'
import { Refusal } from '../../common/errors.ts'
import { filterWork, type Filtering, isRegex, type Within } from '../../facts/filter-sql.ts'
import type { Segment } from '../../facts/segmented-rows.ts'
import { TookTooLong } from '../../platform/clickhouse/clickhouse-errors.ts'
import { ahead, createFairShare } from '../../platform/fair-share.ts'
import { abandonedNow, forServer, holdsSlotNow, tenantNow } from '../../platform/tenant.ts'
import type { CompleteProperty } from '../requested-property.ts'
import { type AnalyticsParts, knownLoads, type Periods } from '../parts.ts'

type NamedProperty = Pick<CompleteProperty, 'id' | 'name'>

/** Maximum number of places in a question's regular expressions together, with repetitions written out. */
const mostPlaces = 3_000
/**
 * Maximum of what all filters cost together (decisions 0102, 0110): beyond it, a single name of 2,048 characters may take more than four
 * seconds.
 */
const mostWork = 65_536

/** @throws Refusal 400 for what took too long */
export function refuseSlow(error: unknown): never {
  if (!(error instanceof TookTooLong)) throw error
  throw new Refusal(400, 'This is taking too long. Choose fewer days or simpler filters.', 'where')
}

/** The same where only a segment's filters can be the reason. @throws Refusal 400 */
export function refuseSlowSegment(error: unknown): never {
  if (!(error instanceof TookTooLong)) throw error
  throw new Refusal(400, "This segment's filters take too long to run. Choose a segment with simpler filters.", 'segment')
}

/**
 * Questions about expressions that may be in the server's own line at a time, so that they don't make it long. */
const checks = createFairShare({ places: 2, perTenant: 1 })

/** Such a question takes no time: it doesn't wait behind its asker's queries, but people take turns asking. */
const asServer = <T>(ask: () => Promise<T>): Promise<T> =>
  checks.run(tenantNow(), () => forServer(ask), { ...(holdsSlotNow() && ahead), signal: abandonedNow() })

/** A property's brand terms, if the filters use them.
 * @param needsBrand whether filters by brand are refused without any terms; otherwise no query is branded
 * @throws Refusal 400 for filters that the engine doesn't answer
 */
export async function checkFilters(
  { facts, cache, brands }: AnalyticsParts,
  property: NamedProperty,
  where: readonly Filter[],
  { field = 'where', needsBrand = true }: { field?: 'where' | 'segment'; needsBrand?: boolean } = {},
): Promise<Pick<Filtering, 'brandTerms'> & { brandVersion: number | undefined }> {
  const patterns = where.filter(({ operator }) => operator === 'matches')
  const places = patterns.reduce((sum, { value }) => sum + patternSize(value), 0)
  // Only regular expressions can cost that much.
  if (places > mostPlaces || filterWork({ where, brandTerms: [] }) > mostWork)
    throw new Refusal(400, 'The regular expressions are too long or repeat too much. Use smaller numbers in braces.', field)
  for (const { field: name, value } of patterns) {
    const isValid = await cache.get(JSON.stringify(['regex', value]), () => asServer(() => facts.ask(isRegex, value)))
    if (!isValid)
      throw new Refusal(400, `The ${name === 'query' ? 'keyword' : name} filter is not a valid regular expression (RE2 syntax)`, field)
  }
  const brand = where.some((filter) => filter.field === 'brand') ? await brands.of(property) : null
  const brandTerms = compactTerms(brand?.terms ?? [])
  if (needsBrand && brand && brandTerms.length === 0) throw new Refusal(400, 'Add brand terms to filter by brand', field)
  return { brandTerms, brandVersion: brand?.version }
}

/** `ofAll`: the list is a part of that of all properties, of which a few may have no brand terms. */
type SegmentAsked = { by: 'page' | 'query'; where: readonly Filter[] | undefined; periods: Periods; ofAll?: boolean }

/** A segment's filters on a list of pages or queries; undefined without any. @throws Refusal 400 if no stored data answers them */
export async function segmentOf(
  parts: AnalyticsParts,
  property: CompleteProperty,
  { by, where = [], periods, ofAll = false }: SegmentAsked,
): Promise<Segment | undefined> {
  if (where.length === 0) return undefined
  const found = grainOfExploration({ by, type: 'web', where })
  if ('problem' in found) throw new Refusal(400, found.problem, 'segment')
  const { brandTerms } = await checkFilters(parts, property, where, { field: 'segment', needsBrand: !ofAll })
  if (found.grain === by) return { where, brandTerms, pairs: null }
  const spans = periods.previous ? [periods.current, periods.previous] : [periods.current]
  const loads = await knownLoads(parts, property, { grains: ['query_page'], spans })
  return { where, brandTerms, pairs: { property: property.id, ...periods, loads } }
}

/**
 * Limits a search type's figures by page, by query, or of single days to a segment, which has no bounds of figures.
 * @throws Refusal 400 if no stored data answers it
 */
export const createWithin =
  (parts: AnalyticsParts) =>
  async (property: NamedProperty, by: 'page' | 'query' | 'date', where: readonly Filter[], type: SearchType = 'web'): Promise<Within> => {
    const found = grainOfExploration({ by, type, where })
    if ('problem' in found) throw new Refusal(400, found.problem, 'segment')
    const { brandTerms } = await checkFilters(parts, property, where, { field: 'segment' })
    return { type, where, brandTerms, grain: found.grain }
  }

/** The grain that a segment's figures come from. */
export const grainOfSegment = <By extends 'page' | 'query'>(segment: Segment | undefined, by: By): By | 'query_page' =>
  segment?.pairs ? 'query_page' : by
