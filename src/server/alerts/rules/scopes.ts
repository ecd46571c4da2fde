import { propertyName } from '../../../core/accounts/property-name.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import { groupedBy, segmentProblem } from '../../../core/alerting/options.ts'
import { readFilters } from '../../../contract/explore/explore.ts'
import type { AnalyticsService } from '../../analytics/service.ts'
import { Refusal } from '../../common/errors.ts'
import type { StoredSegment } from '../../database/annotation-tables.ts'
import type { Db } from '../../database/open.ts'
import { everythingOf, type Within } from '../../facts/filter-sql.ts'
import type { AlertRow } from '../incidents/alerts-store.ts'

/** What a rule is about if not all of web search: the rows of one property that its search type and segment leave. */
export type RuleScope = { segment: StoredSegment | null; within: Within }

type Limited = Pick<Condition, 'kind' | 'monitor' | 'searchType' | 'segment'>
type Property = { id: number; name: string }

/** One of the segments of a property's owner. @throws Refusal 404 if it isn't theirs */
async function load(db: Db, propertyId: number, segment: string, lock: boolean): Promise<StoredSegment> {
  const found = db
    .selectFrom('savedExplorations')
    .innerJoin('properties', 'properties.userId', 'savedExplorations.userId')
    .where('properties.id', '=', propertyId)
    .where('savedExplorations.id', '=', Number(segment))
    .where('savedExplorations.kind', '=', 'segment')
    .select(['savedExplorations.name', 'savedExplorations.content'])
  const row = await (lock ? found.forKeyShare('savedExplorations') : found).executeTakeFirst()
  if (!row) throw new Refusal(404, 'This segment doesn’t exist.', 'segment')
  return { id: segment, ...row }
}

function refuseUnfit(rule: Limited, { content }: StoredSegment): void {
  const problem = segmentProblem(rule, readFilters(content).filters)
  if (problem !== null) throw new Refusal(400, problem, 'segment')
}

/** Keeps a rule's segment from being deleted until this transaction ends. @throws Refusal 404 if it isn't theirs, 400 if it doesn't fit */
export async function holdSegment(trx: Db, propertyId: number, rule: Limited): Promise<void> {
  if (rule.segment !== null) refuseUnfit(rule, await load(trx, propertyId, rule.segment, true))
}

export function createRuleScopes(db: Db, within: AnalyticsService['within']) {
  return {
    /** Null for all of web search. @throws Refusal 404 if its segment isn't the owner's, 400 if no stored data answers it for this rule */
    async of(property: Property, rule: Limited): Promise<RuleScope | null> {
      const { searchType, segment: id } = rule
      if (id === null)
        return searchType === 'web' ? null : { segment: null, within: await within(property, groupedBy(rule), [], searchType) }
      const segment = await load(db, property.id, id, false)
      refuseUnfit(rule, segment)
      return { segment, within: await within(property, groupedBy(rule), readFilters(segment.content).filters, searchType) }
    },

    /** The rows that an alert's figures come from; null for whole pages, queries or the site in web search. */
    async ofAlert({ segment, searchType, propertyId, property, entityKind }: AlertRow): Promise<Within | null> {
      if (segment === null && searchType === 'web') return null
      const by = entityKind === 'page' || entityKind === 'query' ? entityKind : 'date'
      return within({ id: propertyId, name: property }, by, segment === null ? [] : readFilters(segment.content).filters, searchType)
    },
  }
}
export type RuleScopes = ReturnType<typeof createRuleScopes>

/** The rows behind figures by page or query if a segment includes only part of each page or query; null otherwise. */
export const partlyOf = (within: Within | null): Within | null => (within?.grain === 'query_page' ? within : null)

/** The rows of queries by page that break down figures by page or query: a segment of whole pages or queries has all of them. */
export const pairsOf = (within: Within | null): Within | null =>
  within === null || within.grain === 'query_page' ? within : everythingOf(within.type, 'query_page')

/** The rules limited to a segment, in words: `the rule “Blog falls” for example.com`. */
export async function rulesLimitedTo(trx: Db, segmentId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('alertConditions')
    .innerJoin('properties', 'properties.id', 'alertConditions.propertyId')
    .where('segmentId', '=', segmentId)
    .select(['alertConditions.title', 'properties.name as property'])
    .orderBy('alertConditions.id')
    .execute()
  return rows.map(({ title, property }) => `the rule “${title}” for ${propertyName(property)}`)
}
