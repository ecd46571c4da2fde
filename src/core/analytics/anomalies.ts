import type { IsoDate, SearchType } from '../../contract/common.ts'
import { type Anomaly, type AnomalyMetric, anomalyMetric } from '../../contract/annotations.ts'
import { addDays, daysBetween, later } from './days.ts'

/** What Google says on its own page about them. */
const published = { basis: 'google', url: 'https://support.google.com/webmasters/answer/6211453' } as const
const shown: readonly AnomalyMetric[] = ['impressions', 'ctr', 'position']
const counted: readonly AnomalyMetric[] = ['clicks', 'impressions']

const discoverLost = (start: IsoDate, end = start): Anomaly => ({
  id: `discover-${start}`,
  title: 'Discover: clicks and impressions not fully logged',
  start,
  end,
  searchType: 'discover',
  metrics: [...counted],
  direction: 'down',
  ...published,
})

/**
 * Days on which Search Console counted differently than before, although nothing changed on any site: Pacific days, newest first. Google's
 * own page about them drops old ones. `end` null: counted that way ever since. `basis` tells whether Google published it or others noticed.
 */
export const anomalies: readonly Anomaly[] = [
  discoverLost('2026-08-13'),
  discoverLost('2026-06-24'),
  discoverLost('2026-05-21'),
  discoverLost('2026-05-07', '2026-05-08'),
  {
    id: 'impressions-corrected',
    title: 'Impression counts corrected in stages; clicks are not affected',
    start: '2026-04-03',
    end: '2026-04-27',
    searchType: 'web',
    metrics: [...shown],
    direction: 'down',
    ...published,
  },
  {
    id: 'impressions-over-counted',
    title: 'Impressions overcounted; clicks are not affected',
    start: '2025-05-13',
    end: '2026-04-27',
    searchType: 'web',
    metrics: [...shown],
    direction: 'up',
    ...published,
  },
  {
    id: 'deep-results-gone',
    title: 'Rank tracker impressions beyond page 1 no longer counted',
    start: '2025-09-10',
    end: null,
    searchType: 'web',
    metrics: [...shown],
    direction: 'down',
    basis: 'reported',
    url: 'https://www.searchenginejournal.com/the-future-of-rank-tracking-can-go-two-ways/556399',
  },
  {
    // Its clicks are counted too, but no site's clicks moved visibly.
    id: 'ai-mode-counted',
    title: 'AI Mode now counted in web search totals',
    start: '2025-06-16',
    end: null,
    searchType: 'web',
    metrics: [...shown],
    direction: 'up',
    basis: 'google',
    url: 'https://support.google.com/webmasters/answer/7042828',
  },
  {
    id: 'job-listings-2026-04-16',
    title: 'Job listing and Job details not logged',
    start: '2026-04-16',
    end: '2026-04-27',
    searchType: 'web',
    appearances: ['JOB_LISTING', 'JOB_DETAILS'],
    metrics: [...counted, 'ctr', 'position'],
    direction: 'down',
    ...published,
  },
  {
    id: 'product-snippets-2024-05-15',
    title: 'Product snippets overcounted',
    start: '2024-05-15',
    end: '2024-05-27',
    searchType: 'web',
    appearances: ['PRODUCT_SNIPPETS'],
    metrics: [...counted, 'ctr'],
    direction: 'up',
    ...published,
  },
  {
    id: 'images-2024-03-28',
    title: 'Images: AMP pages and Web Stories not logged',
    start: '2024-03-28',
    end: '2024-04-02',
    searchType: 'image',
    metrics: [...counted],
    direction: 'down',
    ...published,
  },
  {
    id: 'images-2023-08-28',
    title: 'Images: Web Stories not logged',
    start: '2023-08-28',
    end: '2024-03-26',
    searchType: 'image',
    metrics: [...counted],
    direction: 'down',
    ...published,
  },
  {
    id: 'lost-2021-08-23',
    title: 'Search and Discover data lost',
    start: '2021-08-23',
    end: '2021-08-24',
    searchType: 'web',
    metrics: [...counted, 'ctr', 'position'],
    direction: 'down',
    ...published,
  },
  {
    id: 'lost-discover-2021-08-23',
    title: 'Search and Discover data lost',
    start: '2021-08-23',
    end: '2021-08-24',
    searchType: 'discover',
    metrics: [...counted, 'ctr'],
    direction: 'down',
    ...published,
  },
]

type Span = { start: IsoDate; end: IsoDate }

/** A search type's anomalies that touch some day of a period; without those of single search appearances, which no chart shows. */
export const anomaliesWithin = (searchType: SearchType, from: IsoDate | undefined, to: IsoDate | undefined): Anomaly[] =>
  anomalies.filter(
    (each) =>
      each.searchType === searchType &&
      each.appearances === undefined &&
      (to === undefined || each.start <= to) &&
      (from === undefined || (each.end ?? from) >= from),
  )

const anomaliesOf = (metric: AnomalyMetric, searchType: SearchType, appearance?: string): Anomaly[] =>
  anomalies.filter(
    ({ appearances, ...each }) =>
      each.searchType === searchType &&
      each.metrics.includes(metric) &&
      (appearances === undefined || (appearance !== undefined && appearances.includes(appearance))),
  )

/**
 * Whether a figure was counted the same way in both spans, so that a difference is a real change. Web search unless another type is given.
 * @param appearance the search appearance whose figures these are
 */
export const isComparable = (metric: AnomalyMetric, a: Span, b: Span, searchType: SearchType = 'web', appearance?: string): boolean =>
  anomaliesOf(metric, searchType, appearance).every((anomaly) => Math.abs(shareOf(anomaly, a) - shareOf(anomaly, b)) < 1e-9)

/** The figures that are not comparable between two spans; none without a comparison. Web search unless another type is given. */
export const incomparableMetrics = (span: Span, comparedWith: Span | null, searchType?: SearchType): AnomalyMetric[] =>
  comparedWith === null ? [] : anomalyMetric.options.filter((metric) => !isComparable(metric, span, comparedWith, searchType))

/** Why two spans aren't comparable in a figure; null if they are. Web search unless another type is given. */
export const whyIncomparable = (metric: AnomalyMetric, a: Span, b: Span, searchType?: SearchType, appearance?: string): string | null =>
  isComparable(metric, a, b, searchType, appearance) ? null : 'Google counted this differently on some of these days'

/** The share of a span's days covered by an anomaly. */
function shareOf({ start, end }: Anomaly, span: Span): number {
  const last = end === null || end > span.end ? span.end : end
  return daysBetween(later(start, span.start), last) / daysBetween(span.start, span.end)
}

/**
 * The first day from which a figure has been counted the same way as on this day; null if it always was. Web search unless another type is
 * given.
 */
export const countedAlikeSince = (metric: AnomalyMetric, day: IsoDate, searchType: SearchType = 'web'): IsoDate | null =>
  lastEdge(anomaliesOf(metric, searchType), day)

/** Days counted otherwise for at most this long leave those before them comparable with those after. */
const interruptionDays = 7

/**
 * Which past days of a figure were counted the same way as this one: those from `since` on, apart from short interruptions, such as a day
 * that Google didn't fully log. `since` is null if all of them were.
 */
export function countedAlike(
  metric: AnomalyMetric,
  day: IsoDate,
  searchType: SearchType,
): { since: IsoDate | null; isAlike: (date: IsoDate) => boolean } {
  const all = anomaliesOf(metric, searchType)
  const short = all.filter(isInterruption)
  return {
    since: lastEdge(
      all.filter((each) => !isInterruption(each)),
      day,
    ),
    isAlike: (date) => !short.some(({ start, end }) => start <= date && date <= end),
  }
}

/** Whether a figure was counted otherwise for a few days of a span: until the span is past them, nothing says how it compares. */
export const isInterrupted = (metric: AnomalyMetric, span: Span, searchType: SearchType): boolean =>
  anomaliesOf(metric, searchType).some((anomaly) => isInterruption(anomaly) && anomaly.start <= span.end && anomaly.end >= span.start)

const isInterruption = (anomaly: Anomaly): anomaly is Anomaly & { end: IsoDate } =>
  anomaly.end !== null && daysBetween(anomaly.start, anomaly.end) <= interruptionDays

const lastEdge = (some: readonly Anomaly[], day: IsoDate): IsoDate | null =>
  some
    .flatMap(({ start, end }) => (end === null ? [start] : [start, addDays(end, 1)]))
    .reduce<IsoDate | null>((last, edge) => (edge <= day && (last === null || edge > last) ? edge : last), null)
