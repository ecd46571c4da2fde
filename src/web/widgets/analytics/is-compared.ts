import type { AnalyticsSummary, Grain } from '../../../contract/analytics.ts'
import type { Period } from '../../../contract/metrics.ts'
import { formatPeriod } from '../../lib/dates.ts'

type Summary = Pick<AnalyticsSummary, 'comparedGrains'>

/**
 * Whether figures are shown with previous ones: there is a comparison, and every day of both periods is stored. Half a period would make
 * everything look as if it had grown.
 */
export const isCompared = (summary: Summary | null | undefined, grain: Grain): boolean => summary?.comparedGrains.includes(grain) ?? false

/** Why nothing is compared although both periods are stored from their first day. */
export function gapWords(current: Period, previous: Period): string {
  const year = previous.start.slice(0, 4) !== current.end.slice(0, 4)
  return `Some days in ${formatPeriod(current, year)} or ${formatPeriod(previous, year)} are missing, so there’s no comparison.`
}
