import { type AskedPeriod, type ChangeSort, changeSorts, type SortOrder } from '../../contract/analytics.ts'
import type { ComparedFigures } from '../../contract/figures.ts'
import { mostOfAll } from '../../contract/common.ts'
import type { Keyword, KeywordsFileQuery } from '../../contract/keywords.ts'
import type { PageListSort } from '../../contract/pages.ts'
import { askedPeriods } from '../../core/analytics/history.ts'
import { withoutParts } from '../../core/reports/together.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import { shownDaysOf } from '../facts/stored-days.ts'
import { type RequestedProperty, type CompleteProperty, isComplete } from './requested-property.ts'
import { everything } from './history.ts'
import type { List } from './keyword-filter.ts'
import type { PageRow } from './pages.ts'

type Listed = ReportProperty & { monitored: boolean }

/** Whose list is requested, in which order, and which part of it. */
type AskedList = AskedPeriod & { property?: string | undefined; sort: string; order: SortOrder; limit: number; offset: number }

/** Whose lists of which rows. */
type Asking = { asked: RequestedProperty; facts: FactsStore; person: Person; query: AskedList; grain: 'page' | 'query' }

/** How many lists are read at the same time, and their rows together; each is as long as the answer. */
const atATime = 8
const rowsAtATime = 4_000

const tooFar = `The list for all properties is limited to ${mostOfAll.toLocaleString('en-US')} rows. Choose one property to see more.`

/** How the lists of all properties become one. */
type Merging<Row, Shown> = {
  /** One property's list, sorted. */
  list: (property: CompleteProperty) => Promise<List<Row>>
  /** The sort key of a row: a number, a name, or NaN if it has none. @param compared whether its list is */
  by: (row: Row, compared: boolean) => string | number
  shown: (row: Row) => Shown
}

/**
 * The list of one property, or of all properties (`?property=all`), in which each row names its property.
 * @throws Refusal 400 past the end of the list of all properties, 404
 */
export async function listAsked<Row, Shown extends object>(
  { asked, facts, person, query, grain }: Asking,
  list: (property: CompleteProperty, part: Part) => Promise<readonly Shown[]>,
  merging: Merging<Row, Shown>,
): Promise<(Shown & { property?: string })[]> {
  if (query.property === 'all' && query.offset + query.limit > mostOfAll) throw new Refusal(400, tooFar, 'offset')
  if (query.property === 'all') return ofAll(await countedOf(facts, await asked.all(person), query, grain), query, merging)
  const property = await asked.complete(person, query.property)
  return property ? [...(await list(property, query))] : []
}

/**
 * Merges the first rows of several properties' lists, each row with its property (OPEN-POINTS 22). Each list is sorted already, so that
 * ties keep their order.
 */
async function ofAll<Row, Shown extends object>(
  counted: readonly CompleteProperty[],
  { sort, order, limit, offset }: AskedList,
  { list, by, shown }: Merging<Row, Shown>,
): Promise<(Shown & { property: string })[]> {
  type Keyed = { key: string | number; row: Row; property: string }
  const compare = ({ key: left }: Keyed, { key: right }: Keyed): number => {
    // A row without a sort key comes last in either order.
    if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1
    // No real position is 0.
    if (sort === 'position' && (left === 0) !== (right === 0)) return left === 0 ? 1 : -1
    const rising = left < right ? -1 : left > right ? 1 : 0
    return order === 'asc' ? rising : -rising
  }
  let first: Keyed[] = []
  const together = Math.min(atATime, Math.floor(rowsAtATime / (limit + offset)))
  for (let at = 0; at < counted.length; at += together) {
    const some = await Promise.all(
      counted.slice(at, at + together).map(async (property) => {
        const { rows, compared } = await list(property)
        return (await rows({ limit: limit + offset, offset: 0 })).map((row) => ({ key: by(row, compared), row, property: property.name }))
      }),
    )
    first = [...first, ...some.flat()].toSorted(compare).slice(0, limit + offset)
  }
  return first.slice(offset).map(({ row, property }) => ({ ...shown(row), property }))
}

/**
 * Leaves out a property within another one, since the other one includes its rows unless it has fewer days, and a property whose days all
 * end before the newest period begins.
 */
async function countedOf(
  facts: FactsStore,
  properties: readonly Listed[],
  period: AskedPeriod,
  grain: Asking['grain'],
): Promise<CompleteProperty[]> {
  const monitored: ReportProperty[] = properties.filter((property) => property.monitored)
  const complete = monitored.filter(isComplete)
  if (complete.length === 0) return []
  const newest = complete.reduce((latest, { completeThrough }) => (completeThrough > latest ? completeThrough : latest), '')
  const { start, end } = askedPeriods(period, { firstDay: everything, completeThrough: newest }).current
  const current = complete.filter(({ completeThrough }) => completeThrough >= start)
  const nameOf = ({ name }: CompleteProperty): string => name
  const widest = withoutParts(current, nameOf)
  if (widest.within.length === 0) return current
  const shown = await facts.ask(shownDaysOf, { properties: current.map(({ id }) => id), grain, span: { start, end } })
  const byId = new Map(shown.map((each) => [each.property, each]))
  return withoutParts(current, nameOf, ({ id }) => byId.get(id) ?? { days: 0, clicks: 0 }).counted
}

/** How much a metric of a row changed, larger being better, as in `changeSorts`; NaN without an earlier value. */
function changeBy({ previous, ...now }: ComparedFigures, sort: ChangeSort): number {
  const before = previous ?? { clicks: 0, impressions: 0, position: 0 }
  switch (sort) {
    case 'clicksChange':
      return now.clicks - before.clicks
    case 'impressionsChange':
      return now.impressions - before.impressions
    case 'ctrChange':
      return now.clicks / now.impressions - before.clicks / before.impressions
    case 'positionChange':
      return now.position === 0 || before.position === 0 ? Number.NaN : before.position - now.position
  }
}

const isChangeSort = (sort: string): sort is ChangeSort => changeSorts.some((each) => each === sort)

/** The figures a keyword is sorted by: for a lost one, those it had. */
export const keywordSortedBy =
  ({ sort, presence }: Pick<KeywordsFileQuery, 'sort' | 'presence'>) =>
  (row: Keyword, compared: boolean): string | number => {
    if (isChangeSort(sort)) return compared ? changeBy(row, sort) : Number.NaN
    if (sort === 'query' || sort === 'opportunityScore' || presence !== 'lost') return row[sort]
    return row.previous?.[sort] ?? 0
  }

export const pageSortedBy =
  ({ sort }: { sort: PageListSort }) =>
  (row: PageRow, compared: boolean): string | number =>
    isChangeSort(sort) ? (compared ? changeBy(row, sort) : Number.NaN) : row[sort]
