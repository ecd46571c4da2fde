import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { Keyword } from '../../../contract/keywords.ts'
import type { Period } from '../../../contract/metrics.ts'
import { counted } from '../../../core/words.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { isCompared } from '../../widgets/analytics/is-compared.ts'

type Presence = 'new' | 'lost'

/** The meaning of new and lost: in which days a keyword was shown, and in which it wasn't. */
export function meaningOf(presence: Presence, current: Period, previous: Period): string {
  const year = current.end.slice(0, 4) !== previous.start.slice(0, 4)
  const [now, before] = [formatPeriod(current, year), formatPeriod(previous, year)]
  return presence === 'new'
    ? `Appeared in search results ${now}, but not ${before}.`
    : `Appeared in search results ${before}, but not ${now}. Metrics are from ${before}.`
}

type Stored = Pick<AnalyticsSummary, 'previous' | 'previousFrom' | 'current' | 'currentFrom' | 'comparedGrains'>

/** Caveats: what Google doesn't name, and the first day with figures for the comparison. */
export function doubtsOf(presence: Presence, summary: Stored): string[] {
  const { previous, previousFrom, current, currentFrom } = summary
  const doubts = [
    presence === 'new'
      ? 'Google doesn’t report rare keywords, so some may simply have become common enough to be reported.'
      : 'Google doesn’t report rare keywords, so some may simply have become too rare to be reported.',
  ]
  if (previous !== null && previousFrom !== null && previousFrom > previous.start) {
    doubts.push(`Comparison data starts ${formatDay(previousFrom)}, so earlier appearances aren’t counted.`)
  }
  if (currentFrom !== null && currentFrom > current.start) doubts.push(`Data for this period starts ${formatDay(currentFrom)}.`)
  if (previous?.start === previousFrom && current.start === currentFrom && !isCompared(summary, 'query'))
    doubts.push('Some of these days have no keyword data, so appearances on those days aren’t counted.')
  return doubts
}

/** The clicks that lost keywords had: of all of them, or of the loaded ones, which it says. */
export function lostSentence(rows: readonly Pick<Keyword, 'previous'>[], hasMore: boolean, previous: Period | null): string {
  const clicks = rows.reduce((sum, row) => sum + (row.previous?.clicks ?? 0), 0)
  const which = hasMore ? `First ${counted(rows.length, 'keyword')}` : 'Total'
  return `${which}: ${counted(clicks, 'click')}${previous === null ? '' : `, ${formatPeriod(previous, true)}`}.`
}
