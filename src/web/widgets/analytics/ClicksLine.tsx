import type { Explored, ExploreRow } from '../../../contract/explore/explore.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { TrendLine } from '../../charts/TrendLine.tsx'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'

type ClicksLineProps = { days: NonNullable<Explored['trendDays']>; trend: NonNullable<ExploreRow['trend']>; className?: string }

/** A row's clicks over these days; nothing if none of them is stored. */
export function ClicksLine({ days, trend, className }: ClicksLineProps) {
  // A step each, whatever its length in days.
  const points = trend.flatMap((value, at) => (value === null ? [] : [{ date: addDays(days.start, at), value }]))
  const values = points.map(({ value }) => value)
  if (values.length === 0) return null
  const label = `Clicks over time, ${formatPeriod(days, true)}: ${formatCount(Math.min(...values))} to ${formatCount(Math.max(...values))}`
  return <TrendLine label={label} points={points} {...(className !== undefined && { className })} />
}
