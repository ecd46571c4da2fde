import type { Range, SortOrder } from '../../contract/analytics.ts'
import { lastDays } from '../../core/analytics/periods.ts'
import { withoutParts } from '../../core/reports/together.ts'
import type { ReportProperty } from '../accounts/service.ts'
import { type CompleteProperty, isComplete } from './asked-property.ts'

type Listed = ReportProperty & { monitored: boolean }

/** How a list is sorted: a figure, or a name. */
type Sorting<Row> = { by: (row: Row) => string | number; order: SortOrder; unknownLast: boolean; limit: number }

/** Lists that are made at the same time; each is as long as the one that is answered. */
const atATime = 8

/**
 * The first rows of the lists of several properties as one list, each row with its property (OPEN-POINTS 22). A property
 * within another one is left out, since the other one has its rows too, and so is one whose days all end before the period
 * of the newest begins. The list of each property is sorted already, so that rows with the same figure stay as they are.
 */
export async function ofAll<Row extends object>(
  properties: readonly Listed[],
  days: Range,
  list: (property: CompleteProperty) => Promise<readonly Row[]>,
  { by, order, unknownLast, limit }: Sorting<Row>,
): Promise<(Row & { property: string })[]> {
  const compare = (a: Row, b: Row): number => {
    const [left, right] = [by(a), by(b)]
    if (unknownLast && (left === 0) !== (right === 0)) return left === 0 ? 1 : -1
    const rising = left < right ? -1 : left > right ? 1 : 0
    return order === 'asc' ? rising : -rising
  }
  let first: (Row & { property: string })[] = []
  const counted = countedOf(properties, days)
  for (let at = 0; at < counted.length; at += atATime) {
    const some = await Promise.all(
      counted.slice(at, at + atATime).map(async (property) => (await list(property)).map((row) => ({ ...row, property: property.name }))),
    )
    first = [...first, ...some.flat()].toSorted(compare).slice(0, limit)
  }
  return first
}

function countedOf(properties: readonly Listed[], days: Range): CompleteProperty[] {
  const monitored: ReportProperty[] = properties.filter((property) => property.monitored)
  const complete = monitored.filter(isComplete)
  const newest = complete.reduce((latest, { completeThrough }) => (completeThrough > latest ? completeThrough : latest), '')
  const current = complete.filter(({ completeThrough }) => completeThrough >= lastDays(newest, days).start)
  return withoutParts(current, ({ name }) => name)
}
