import type { ClickHouseClient } from '@clickhouse/client'
import type { IsoDate } from '../../contract/common.ts'
import { type ComparedQuestion, type PairShare, pairShares, type SegmentFigures, segmentFigures } from './questions/compared-figures.ts'
import { clicksParts, mostMoved } from './questions/change-parts.ts'
import { type BrandDay, brandDays, type DailyFigures, dailyFigures, type DailyQuestion, positionBins } from './questions/daily-figures.ts'
import { type DecayingPage, decayingPages, type DecayQuestion } from './questions/decaying-pages.ts'
import type { FactsLayout } from './layout.ts'
import { type PeriodOpportunity, periodOpportunities } from './questions/period-opportunities.ts'
import { type PeriodRow, periodRows } from './questions/period-rows.ts'
import { firstShown } from './stored-days.ts'
import { type LoadsQuestion, type StoredLoad, storedLoads } from './stored-loads.ts'
import { dropWindows, findWindow, makeWindow, type Making, type WindowSource } from './questions/window.ts'
import type { Part, WindowId } from './questions/window-columns.ts'
import { type PagesQuestion, type WindowPage, windowPages } from './questions/window-pages.ts'
import {
  contestedQueries,
  type ContestedQuery,
  type QueriesQuestion,
  type QueryFilter,
  windowQueries,
  type WindowQuery,
} from './questions/window-queries.ts'
import { type BrandSums, type Listed, windowBrandSums, windowListed } from './questions/window-sums.ts'

/** What the analytics screens ask the facts; see the file of each. */
export type AnalyticsFacts = {
  storedLoads(question: LoadsQuestion): Promise<StoredLoad[]>
  /** The first day on which anything was shown; see stored-days.ts. */
  firstShown(property: number): Promise<IsoDate | null>
  /** The window of these loads, made on that day or later; null where there is none yet. */
  findWindow(source: WindowSource, madeSince: IsoDate): Promise<WindowId | null>
  /** Sums a window up on so many threads of the engine; answers what it is asked by once it is whole. */
  makeWindow(source: WindowSource, making: Omit<Making, 'window'>): Promise<WindowId>
  dropWindows(madeBefore: IsoDate): Promise<void>
  // Lists and sums of a window.
  queries(question: QueriesQuestion, part: Part): Promise<WindowQuery[]>
  contestedQueries(filter: QueryFilter, part: Part): Promise<ContestedQuery[]>
  pages(question: PagesQuestion, part: Part): Promise<WindowPage[]>
  listed(grain: 'page' | 'query', window: WindowId): Promise<Listed>
  brandSums(window: WindowId, brandTerms: readonly string[]): Promise<BrandSums[]>
  // Of the facts themselves.
  dailyFigures(question: DailyQuestion): Promise<DailyFigures[]>
  brandDays(question: Parameters<typeof brandDays>[1]): Promise<BrandDay[]>
  positionBins(question: Parameters<typeof positionBins>[1]): ReturnType<typeof positionBins>
  segmentFigures(question: ComparedQuestion & { dimension: 'device' | 'country' }): Promise<SegmentFigures[]>
  pairShares(question: Parameters<typeof pairShares>[1]): Promise<PairShare[]>
  decayingPages(question: DecayQuestion, part: Part): Promise<DecayingPage[]>
  // Of any period, without a window.
  periodRows(question: Parameters<typeof periodRows>[1]): Promise<PeriodRow[]>
  periodOpportunities(question: Parameters<typeof periodOpportunities>[1]): Promise<PeriodOpportunity[]>
  // What a change is made of; see change-parts.ts.
  mostMoved(question: Parameters<typeof mostMoved>[1]): ReturnType<typeof mostMoved>
  clicksParts(question: Parameters<typeof clicksParts>[1]): ReturnType<typeof clicksParts>
}

export function createAnalyticsFacts(client: ClickHouseClient, nextLoad: () => Promise<number>, layout: FactsLayout): AnalyticsFacts {
  return {
    storedLoads: (question) => storedLoads(client, question),
    firstShown: (property) => firstShown(client, property),
    findWindow: (source, madeSince) => findWindow(client, source, madeSince),
    makeWindow: async (source, making) => makeWindow(client, source, { ...making, window: await nextLoad() }),
    dropWindows: (madeBefore) => dropWindows(client, madeBefore, layout),
    queries: (question, part) => windowQueries(client, question, part),
    contestedQueries: (filter, part) => contestedQueries(client, filter, part),
    pages: (question, part) => windowPages(client, question, part),
    listed: (grain, window) => windowListed(client, grain, window),
    brandSums: (window, brandTerms) => windowBrandSums(client, window, brandTerms),
    dailyFigures: (question) => dailyFigures(client, question),
    brandDays: (question) => brandDays(client, question),
    positionBins: (question) => positionBins(client, question),
    segmentFigures: (question) => segmentFigures(client, question),
    pairShares: (question) => pairShares(client, question),
    decayingPages: (question, part) => decayingPages(client, question, part),
    periodRows: (question) => periodRows(client, question),
    periodOpportunities: (question) => periodOpportunities(client, question),
    mostMoved: (question) => mostMoved(client, question),
    clicksParts: (question) => clicksParts(client, question),
  }
}
