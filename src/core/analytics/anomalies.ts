import type { IsoDate, SearchType } from '../../contract/common.ts'
import { type Anomaly, type AnomalyMetric, anomalyMetric } from '../../contract/annotations.ts'
import { addDays, daysBetween, later } from './days.ts'

const help = 'https://support.google.com/webmasters/answer/6211453'
const shown: readonly AnomalyMetric[] = ['impressions', 'ctr', 'position']
const counted: readonly AnomalyMetric[] = ['clicks', 'impressions']

/**
 * Days on which Search Console counted otherwise than before, while nothing had changed on any site: Pacific days, newest first. Google's
 * own page about them forgets old ones. `end` null: counted so ever since. `basis` says whether Google published it, or others saw it.
 */
export const anomalies: readonly Anomaly[] = [
  {
    id: 'discover-2026-08-13',
    title: 'Discover: clicks and impressions not fully logged',
    start: '2026-08-13',
    end: '2026-08-13',
    searchType: 'discover',
    metrics: [...counted],
    direction: 'down',
    basis: 'google',
    url: help,
  },
  {
    id: 'discover-2026-06-24',
    title: 'Discover: clicks and impressions not fully logged',
    start: '2026-06-24',
    end: '2026-06-24',
    searchType: 'discover',
    metrics: [...counted],
    direction: 'down',
    basis: 'google',
    url: help,
  },
  {
    id: 'discover-2026-05-21',
    title: 'Discover: clicks and impressions not fully logged',
    start: '2026-05-21',
    end: '2026-05-21',
    searchType: 'discover',
    metrics: [...counted],
    direction: 'down',
    basis: 'google',
    url: help,
  },
  {
    id: 'discover-2026-05-07',
    title: 'Discover: clicks and impressions not fully logged',
    start: '2026-05-07',
    end: '2026-05-08',
    searchType: 'discover',
    metrics: [...counted],
    direction: 'down',
    basis: 'google',
    url: help,
  },
  {
    id: 'impressions-corrected',
    title: 'Impressions count corrected step by step; clicks are not affected',
    start: '2026-04-03',
    end: '2026-04-27',
    searchType: 'web',
    metrics: [...shown],
    direction: 'down',
    basis: 'google',
    url: help,
  },
  {
    id: 'impressions-over-counted',
    title: 'Impressions over-counted; clicks are not affected',
    start: '2025-05-13',
    end: '2026-04-27',
    searchType: 'web',
    metrics: [...shown],
    direction: 'up',
    basis: 'google',
    url: help,
  },
  {
    id: 'deep-results-gone',
    title: 'Impressions from rank trackers beyond the first page disappear',
    start: '2025-09-10',
    end: null,
    searchType: 'web',
    metrics: [...shown],
    direction: 'down',
    basis: 'reported',
    url: 'https://www.searchenginejournal.com/the-future-of-rank-tracking-can-go-two-ways/556399',
  },
  {
    // Its clicks are counted, too, and moved no site's clicks by as much as could be seen.
    id: 'ai-mode-counted',
    title: 'AI Mode counted in the totals of web search',
    start: '2025-06-16',
    end: null,
    searchType: 'web',
    metrics: [...shown],
    direction: 'up',
    basis: 'google',
    url: 'https://support.google.com/webmasters/answer/7042828',
  },
  {
    id: 'images-2024-03-28',
    title: 'Images: AMP pages and Web Stories not logged',
    start: '2024-03-28',
    end: '2024-04-02',
    searchType: 'image',
    metrics: [...counted],
    direction: 'down',
    basis: 'google',
    url: help,
  },
  {
    id: 'lost-2021-08-23',
    title: 'Search and Discover data lost',
    start: '2021-08-23',
    end: '2021-08-24',
    searchType: 'web',
    metrics: [...counted, 'ctr', 'position'],
    direction: 'down',
    basis: 'google',
    url: help,
  },
  {
    id: 'lost-discover-2021-08-23',
    title: 'Search and Discover data lost',
    start: '2021-08-23',
    end: '2021-08-24',
    searchType: 'discover',
    metrics: [...counted, 'ctr'],
    direction: 'down',
    basis: 'google',
    url: help,
  },
]

type Span = { start: IsoDate; end: IsoDate }

/** Those of a search type that touch some day of a period. */
export const anomaliesWithin = (searchType: SearchType, from: IsoDate | undefined, to: IsoDate | undefined): Anomaly[] =>
  anomalies.filter(
    (each) =>
      each.searchType === searchType && (to === undefined || each.start <= to) && (from === undefined || (each.end ?? from) >= from),
  )

const ofWeb = (metric: AnomalyMetric): Anomaly[] => anomalies.filter((each) => each.searchType === 'web' && each.metrics.includes(metric))

/** Whether a figure of web search was counted in the same way on the days of both spans: what changed between them is a change. */
export const isComparable = (metric: AnomalyMetric, a: Span, b: Span): boolean =>
  ofWeb(metric).every((anomaly) => Math.abs(shareOf(anomaly, a) - shareOf(anomaly, b)) < 1e-9)

/** The figures of web search that say nothing about how things changed between two spans; none where nothing is compared. */
export const incomparableMetrics = (span: Span, comparedWith: Span | null): AnomalyMetric[] =>
  comparedWith === null ? [] : anomalyMetric.options.filter((metric) => !isComparable(metric, span, comparedWith))

/** Why two spans are not compared in a figure of web search; null where they can be. */
export const whyIncomparable = (metric: AnomalyMetric, a: Span, b: Span): string | null =>
  isComparable(metric, a, b) ? null : 'Google counted this differently during some of these days'

/** The part of a span's days on which an anomaly holds. */
function shareOf({ start, end }: Anomaly, span: Span): number {
  const last = end === null || end > span.end ? span.end : end
  return daysBetween(later(start, span.start), last) / daysBetween(span.start, span.end)
}

/** The first day from which on a figure of web search is counted as on this day; null when it always was. */
export function countedAlikeSince(metric: AnomalyMetric, day: IsoDate): IsoDate | null {
  const edges = ofWeb(metric).flatMap(({ start, end }) => (end === null ? [start] : [start, addDays(end, 1)]))
  return edges.reduce<IsoDate | null>((last, edge) => (edge <= day && (last === null || edge > last) ? edge : last), null)
}
