import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { gapWords } from '../../widgets/analytics/is-compared.ts'

type Compared = Pick<AnalyticsSummary, 'current' | 'previous' | 'previousFrom' | 'completeThrough'> & { isCompared: boolean }

/** Which days are shown, what they are compared with, and what is missing of that. */
export function comparedDays({ current, previous, previousFrom, completeThrough, isCompared }: Compared): string {
  const year = previous !== null && previous.start.slice(0, 4) !== current.end.slice(0, 4)
  const through = `complete through ${formatDay(completeThrough)}.`
  if (previous === null) return `${formatPeriod(current)}, ${through}`
  const before = formatPeriod(previous, year)
  if (previousFrom === null) return `${formatPeriod(current)}, ${through} No comparison data for ${before}.`
  if (previousFrom > previous.start)
    return `${formatPeriod(current, year)}, ${through} Comparison data starts ${formatDay(previousFrom, year)}.`
  if (!isCompared) return `${formatPeriod(current, year)}, ${through} ${gapWords(current, previous)}`
  return `${formatPeriod(current, year)} vs ${before}, ${through}`
}
