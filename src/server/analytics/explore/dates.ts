import type { SortOrder } from '../../../contract/analytics.ts'
import type { ComparedFigures, RowFigures } from '../../../contract/figures.ts'
import { type ExploreRow, type ExploreSort, type Filter, isBound } from '../../../contract/explore/explore.ts'
import type { History, HistoryAsked, HistoryPoint } from '../../../contract/history.ts'
import type { Period } from '../../../contract/metrics.ts'
import { eachDay } from '../../../core/analytics/days.ts'
import { daysWithin, historyOf, type StoredDays } from '../../../core/analytics/history.ts'
import { totalsOf } from '../../../core/analytics/totals.ts'

type Asked = HistoryAsked & { sort: ExploreSort; order: SortOrder; compared: Period | null; where: readonly Filter[] }
type Point = HistoryPoint & { before: HistoryPoint | null }

/** The same days, weeks or months as a chart shows them: those that the filters exclude stay in their place, without figures. */
export function dateHistory(
  property: string,
  known: StoredDays,
  { compared, where, ...asked }: HistoryAsked & Pick<Asked, 'compared' | 'where'>,
): History {
  const history = historyOf(property, known, compared === null ? { ...asked, compare: 'none' } : asked)
  const isKept = history.points.map(({ figures }) => where.every((filter) => holds(filter, figures ?? nothing)))
  const kept = (points: readonly HistoryPoint[]) => points.map((point, at) => (isKept[at] ? point : { ...point, figures: null }))
  return { ...history, points: kept(history.points), previousPoints: kept(history.previousPoints) }
}

/** Days, weeks or months as rows: few enough to be sorted here. */
export function dateRows(known: StoredDays, { sort, order, compared, where, ...asked }: Asked) {
  const { points, previousPoints } = historyOf('', known, compared === null ? { ...asked, compare: 'none' } : asked)
  const kept = points
    .map((point, at): Point => ({ ...point, before: previousPoints[at] ?? null }))
    // A day that isn't stored is unknown; a week or month with any stored day is kept, since its compared days count.
    .filter((point) => point.figures !== null || eachDay(point.start, point.end).some((date) => known.stored.has(date)))
    .filter((point) => where.every((filter) => holds(filter, point.figures ?? nothing)))
  const rows = sorted(kept, sort, order).map(rowOf)
  const sum = (some: readonly HistoryPoint[]) => totalsOf(some.flatMap((point) => daysWithin(known.days, point)))
  const before = kept.flatMap((point) => point.before ?? [])
  const totals: ComparedFigures = { ...sum(kept), previous: compared === null ? null : sum(before) }
  return {
    first: (limit: number) => Promise.resolve({ rows: rows.slice(0, limit), count: rows.length, totals }),
    rows: ({ limit, offset }: { limit: number; offset: number }) => Promise.resolve(rows.slice(offset, offset + limit)),
  }
}

const nothing: RowFigures = { clicks: 0, impressions: 0, ctr: 0, position: 0 }

const rowOf = ({ start, end, figures, complete, before }: Point): ExploreRow => ({
  name: start,
  end,
  complete,
  ...(figures ?? nothing),
  // Every compared day is stored.
  previous: before && (before.figures ?? nothing),
})

function holds({ field, operator, value }: Filter, figures: RowFigures): boolean {
  if (!isBound(operator)) return true
  // As the engine computes it for other rows: divided once, so that 29 of 100 are exactly 29%.
  const percent = figures.impressions === 0 ? 0 : (100 * figures.clicks) / figures.impressions
  const figure = field === 'ctr' ? percent : figures[field as 'clicks' | 'impressions' | 'position']
  if (field === 'position' && figure === 0) return false
  return operator === 'from' ? figure >= Number(value) : figure <= Number(value)
}

/** Rows with an unknown value in either period come last. */
function sorted(points: readonly Point[], sort: ExploreSort, order: SortOrder): Point[] {
  const valueOf = ({ start, figures, before }: Point): number | string | null => {
    if (sort === 'name') return start
    const [now, then] = [figures ?? nothing, before?.figures ?? nothing]
    const figure = metricOf[sort]
    const isUnknown = (of: RowFigures) => (figure === 'ctr' && of.impressions === 0) || (figure === 'position' && of.position === 0)
    if (isUnknown(now) || (isChange(sort) && isUnknown(then))) return null
    if (sort === 'positionChange') return then.position - now.position
    return isChange(sort) ? now[figure] - then[figure] : now[figure]
  }
  return points
    .map((point) => ({ point, value: valueOf(point) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      const rising = a.value < b.value ? -1 : a.value > b.value ? 1 : 0
      return order === 'asc' ? rising : -rising
    })
    .map(({ point }) => point)
}

const metricOf: Record<Exclude<ExploreSort, 'name'>, keyof RowFigures> = {
  clicks: 'clicks',
  clicksChange: 'clicks',
  impressions: 'impressions',
  impressionsChange: 'impressions',
  ctr: 'ctr',
  ctrChange: 'ctr',
  position: 'position',
  positionChange: 'position',
}
const isChange = (sort: ExploreSort): boolean => sort.endsWith('Change')
