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
    ? `Shown in search results on ${now}, and not on ${before}.`
    : `Shown in search results on ${before}, and not on ${now}; the figures are those they had.`
}

type Stored = Pick<AnalyticsSummary, 'previous' | 'previousFrom' | 'current' | 'currentFrom' | 'comparedGrains'>

/** What has to be known besides: what Google does not name, and from when on there are figures to compare with. */
export function doubtsOf(presence: Presence, summary: Stored): string[] {
  const { previous, previousFrom, current, currentFrom } = summary
  const doubts = [
    presence === 'new'
      ? 'Google does not name keywords that few people search for: some may only have become frequent enough.'
      : 'Google does not name keywords that few people search for: some may only have become too rare.',
  ]
  if (previous !== null && previousFrom !== null && previousFrom > previous.start) {
    doubts.push(
      `To compare with, figures are stored from ${formatDay(previousFrom)} on: what was shown only before that day counts as not shown.`,
    )
  }
  if (currentFrom !== null && currentFrom > current.start)
    doubts.push(`Of this period, figures are stored from ${formatDay(currentFrom)} on.`)
  if (previous?.start === previousFrom && current.start === currentFrom && !isCompared(summary, 'query'))
    doubts.push('The keywords of some of these days are not stored: what was shown only on those counts as not shown.')
  return doubts
}
