import { type ChangeSort, changeSorts, type AskedPeriod, type SortOrder } from '../../contract/analytics.ts'
import { askedPeriods } from '../../core/analytics/history.ts'
import { withoutParts } from '../../core/reports/together.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import { type AskedProperty, type CompleteProperty, isComplete } from './asked-property.ts'
import { everything } from './history.ts'

type Listed = ReportProperty & { monitored: boolean }

/** Which property's list is asked for, how it is sorted, and how long it may be. */
type AskedList = AskedPeriod & { property?: string | undefined; sort: string; order: SortOrder; limit: number; offset: number }

/** Lists that are made at the same time; each is as long as the one that is answered. */
const atATime = 8

/**
 * The list of one property, or of all of them (`?property=all`), in which each row names its property.
 * @param by what a row is sorted by: a figure, a name, or NaN where it has none
 * @param list one property's rows, of the part that is wanted
 * @throws Refusal 404
 */
export async function listAsked<Row extends object>(
  { asked, person, query }: { asked: AskedProperty; person: Person; query: AskedList },
  list: (property: CompleteProperty, part: Part) => Promise<readonly Row[]>,
  by: (row: Row) => string | number,
): Promise<(Row & { property?: string })[]> {
  if (query.property === 'all') return ofAll(await asked.all(person), query, list, by)
  const property = await asked.complete(person, query.property)
  return property ? [...(await list(property, query))] : []
}

/**
 * The first rows of the lists of several properties as one list, each row with its property (OPEN-POINTS 22). A property
 * within another one is left out, since the other one has its rows too, and so is one whose days all end before the period
 * of the newest begins. The list of each property is sorted already, so that rows with the same figure stay as they are.
 */
async function ofAll<Row extends object>(
  properties: readonly Listed[],
  { sort, order, limit, offset, ...period }: AskedList,
  list: (property: CompleteProperty, part: Part) => Promise<readonly Row[]>,
  by: (row: Row) => string | number,
): Promise<(Row & { property: string })[]> {
  const compare = (a: Row, b: Row): number => {
    const [left, right] = [by(a), by(b)]
    // Where there is nothing to sort by, a row comes last in either order.
    if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1
    // No real position is 0.
    if (sort === 'position' && (left === 0) !== (right === 0)) return left === 0 ? 1 : -1
    const rising = left < right ? -1 : left > right ? 1 : 0
    return order === 'asc' ? rising : -rising
  }
  let first: (Row & { property: string })[] = []
  const counted = countedOf(properties, period)
  for (let at = 0; at < counted.length; at += atATime) {
    const some = await Promise.all(
      counted
        .slice(at, at + atATime)
        .map(async (property) =>
          (await list(property, { limit: limit + offset, offset: 0 })).map((row) => ({ ...row, property: property.name })),
        ),
    )
    first = [...first, ...some.flat()].toSorted(compare).slice(0, limit + offset)
  }
  return first.slice(offset)
}

function countedOf(properties: readonly Listed[], period: AskedPeriod): CompleteProperty[] {
  const monitored: ReportProperty[] = properties.filter((property) => property.monitored)
  const complete = monitored.filter(isComplete)
  const newest = complete.reduce((latest, { completeThrough }) => (completeThrough > latest ? completeThrough : latest), '')
  const { start } = askedPeriods(period, { firstDay: everything, completeThrough: newest }).current
  const current = complete.filter(({ completeThrough }) => completeThrough >= start)
  return withoutParts(current, ({ name }) => name)
}

type Figures = Record<'clicks' | 'impressions' | 'ctr' | 'position', number | string>

/** How much a figure of a row changed, the better the larger, as `changeSorts` has it; NaN where there is nothing to count it from. */
export function changeBy(row: Figures & { previous: Figures | null }, sort: ChangeSort): number {
  const of = (metric: keyof Figures): [number, number] => [Number(row[metric]), Number(row.previous?.[metric] ?? 0)]
  switch (sort) {
    case 'clicksChange':
    case 'impressionsChange': {
      const [now, before] = of(sort === 'clicksChange' ? 'clicks' : 'impressions')
      return now - before
    }
    case 'ctrChange': {
      // Not from the CTRs, which pages have rounded.
      const [clicks, clicksBefore] = of('clicks')
      const [impressions, impressionsBefore] = of('impressions')
      return clicks / impressions - clicksBefore / impressionsBefore
    }
    case 'positionChange': {
      const [now, before] = of('position')
      return now === 0 || before === 0 ? Number.NaN : before - now
    }
  }
}

export const isChangeSort = (sort: string): sort is ChangeSort => changeSorts.some((each) => each === sort)
