import type { Gaps } from '../../../contract/analytics.ts'
import type { Filter } from '../../../contract/explore/explore.ts'
import type { Keyword } from '../../../contract/keywords.ts'
import type { Period } from '../../../contract/metrics.ts'
import { counted } from '../../../core/words.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { daysWords } from '../../widgets/analytics/coverage/list-coverage.ts'
import { type Days, yearsNeeded } from '../../widgets/analytics/coverage/years-of-periods.ts'

type Presence = 'new' | 'lost'

/** The meaning of new and lost: in which days a keyword was shown, and in which it wasn't. */
export function meaningOf(presence: Presence, days: Days<Period>, segment: readonly Filter[] | null = null): string {
  const { years } = yearsNeeded(days)
  const [now, before] = [formatPeriod(days.current, years), formatPeriod(days.previous, years)]
  const isOfPages = segment?.some(({ field }) => field === 'page') ?? false
  const results =
    segment === null ? 'search results' : isOfPages ? 'search results with this segment’s pages' : 'this segment’s search results'
  return presence === 'new'
    ? `Appeared in ${results} ${now}, but not ${before}.`
    : `Appeared in ${results} ${before}, but not ${now}. Metrics are from ${before}.`
}

type Stored = { keywords: Gaps }

/** The days on which a keyword would have to be absent, but that aren't stored: with any, nothing can be called new or lost. */
export const unknownDays = (presence: Presence, { keywords }: Stored): readonly Period[] =>
  presence === 'new' ? keywords.previousGaps : keywords.gaps

/** Caveats: what Google doesn't name, and days on which a keyword may have been shown as well. */
export function doubtsOf(presence: Presence, { keywords }: Stored): string[] {
  const missing = presence === 'new' ? keywords.gaps : keywords.previousGaps
  return [
    presence === 'new'
      ? 'Google doesn’t report rare keywords, so some may simply have become common enough to be reported.'
      : 'Google doesn’t report rare keywords, so some may simply have become too rare to be reported.',
    ...(missing.length === 0 ? [] : [`No keyword data is stored for ${daysWords(missing)}, so appearances on those days aren’t counted.`]),
  ]
}

/** The clicks that lost keywords had: of all of them, or of the loaded ones, which it says. */
export function lostSentence(rows: readonly Pick<Keyword, 'previous'>[], hasMore: boolean, previous: Period | null): string {
  const clicks = rows.reduce((sum, row) => sum + (row.previous?.clicks ?? 0), 0)
  const which = hasMore ? `First ${counted(rows.length, 'keyword')}` : 'Total'
  return `${which}: ${counted(clicks, 'click')}${previous === null ? '' : `, ${formatPeriod(previous, true)}`}.`
}
