import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { Period } from '../../../contract/metrics.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { isCompared } from '../../widgets/analytics/is-compared.ts'

type Presence = 'new' | 'lost'

/** What new and lost mean: in which days a keyword was shown, and in which it was not. */
export function meaningOf(presence: Presence, current: Period, previous: Period): string {
  const year = current.end.slice(0, 4) !== previous.start.slice(0, 4)
  const [now, before] = [formatPeriod(current, year), formatPeriod(previous, year)]
  return presence === 'new'
    ? `Appeared in search results ${now}, but not ${before}.`
    : `Appeared in search results ${before}, but not ${now}. Figures are from ${before}.`
}

type Stored = Pick<AnalyticsSummary, 'previous' | 'previousFrom' | 'current' | 'currentFrom' | 'comparedGrains'>

/** What has to be known besides: what Google does not name, and from when on there are figures to compare with. */
export function doubtsOf(presence: Presence, summary: Stored): string[] {
  const { previous, previousFrom, current, currentFrom } = summary
  const doubts = [
    presence === 'new'
      ? 'Google doesn’t name rare keywords, so some may just have become common enough to be named.'
      : 'Google doesn’t name rare keywords, so some may just have become too rare to be named.',
  ]
  if (previous !== null && previousFrom !== null && previousFrom > previous.start) {
    doubts.push(`Comparison data starts ${formatDay(previousFrom)}: keywords shown only before then count as not shown.`)
  }
  if (currentFrom !== null && currentFrom > current.start) doubts.push(`Data for this period starts ${formatDay(currentFrom)}.`)
  if (previous?.start === previousFrom && current.start === currentFrom && !isCompared(summary, 'query'))
    doubts.push('Some of these days have no keyword data: keywords shown only on those days count as not shown.')
  return doubts
}
