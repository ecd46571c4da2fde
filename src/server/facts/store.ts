import type { ClickHouseClient } from '@clickhouse/client'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { type AnalyticsFacts, createAnalyticsFacts } from './analytics.ts'
import { type CurrentLoad, currentLoads } from './current-loads.ts'
import type { Span } from './current.ts'
import { type DailyTotal, dailyTotals, storedTotals } from './questions/daily-totals.ts'
import { dropProperties } from './drop.ts'
import { type DaysQuestion, type EntityDays, entityDays } from './questions/entity-days.ts'
import { entityFigures, type EntityFiguresRow, type FiguresQuestion } from './questions/entity-figures.ts'
import { type ExportRow, exportRows, type ExportScope } from './export-rows.ts'
import { type EntityWeeks, entityWeeks, type WeeksQuestion } from './questions/entity-weeks.ts'
import { beginHours, forgetHours, type HourFigures, type HoursLoad, hourTotals, type HoursQuestion } from './questions/hours.ts'
import { importedRows, type ImportedRowsQuestion } from './imported-rows.ts'
import { type EndOfDays, type LastDays, lastDaysOf } from './questions/last-days.ts'
import { type FactsLayout, oneServer } from './layout.ts'
import { beginLoad, type Load } from './load.ts'
import { newestLoad } from './newest-load.ts'
import { type Newcomer, newcomers, type NewcomersQuestion } from './questions/newcomers.ts'
import { pairFigures, type PairsQuestion } from './questions/pair-figures.ts'
import type { Scope } from './question.ts'
import type { Grain } from './schema.ts'
import { keepTenant } from '../platform/tenant.ts'
import { type StoredDays, storedDays } from './stored-days.ts'
import { settledProperties, sweepOldLoads } from './sweep.ts'
import { topCountries } from './questions/top-countries.ts'
import { type ListGrain, type TopRow, topRows } from './questions/top-rows.ts'

/** The analytics store as capabilities see it: loads go in, questions are answered. */
export type FactsStore = {
  beginLoad(property: number, searchType: SearchType): Promise<Load>
  /** The number of the newest load of these days, in any grain; 0 when none is stored. */
  newestLoad(scope: Scope): Promise<number>
  dailyTotals(scope: Scope): Promise<DailyTotal[]>
  /** The same, with the days that are stored; see daily-totals.ts. */
  storedTotals(scope: Scope): ReturnType<typeof storedTotals>
  /** How many rows of files are stored; see imported-rows.ts. */
  importedRows(question: ImportedRowsQuestion): Promise<number>
  /** The load to read for each stored day; see current-loads.ts. */
  currentLoads(grain: Grain, scope: Scope): Promise<CurrentLoad[]>
  /** Totals of the hours; see hours.ts. */
  hourTotals(question: HoursQuestion): Promise<HourFigures[]>
  beginHours(property: number): Promise<HoursLoad>
  /** Deletes the hours of all days before this one. */
  forgetHours(before: IsoDate): Promise<void>
  topRows<G extends ListGrain>(grain: G, scope: Scope, limit: number): Promise<TopRow<G>[]>
  // Of many properties at once, for alerts; see the file of each.
  entityFigures(question: FiguresQuestion): Promise<EntityFiguresRow[]>
  entityDays(question: DaysQuestion): Promise<EntityDays[]>
  entityWeeks(question: WeeksQuestion): Promise<EntityWeeks[]>
  /** Of one page or query, what it is made of; see pair-figures.ts. */
  pairFigures(question: PairsQuestion): Promise<EntityFiguresRow[]>
  newcomers(question: NewcomersQuestion): Promise<Newcomer[]>
  storedDays(question: Parameters<typeof storedDays>[1]): Promise<StoredDays[]>
  /** Daily totals of many properties, each up to an end of its own; see last-days.ts. */
  lastDays(ends: readonly EndOfDays[], count: number): Promise<LastDays[]>
  /** The country most clicks of each property come from; see top-countries.ts. */
  topCountries(properties: readonly number[], span: Span): Promise<Map<number, string>>
  /** Every row of one grain of a property, in batches; see export-rows.ts. */
  exportRows(grain: Grain, property: number, scope?: ExportScope): AsyncIterable<readonly ExportRow[]>
  /** What the analytics screens ask; see analytics.ts. */
  analytics: AnalyticsFacts
  /** Deletes replaced loads numbered below `before`; see sweep.ts. */
  sweep(before: number): Promise<number>
  /** Properties with facts of which none is newer than that; see sweep.ts. */
  settledProperties(before: number): Promise<number[]>
  /** Deletes everything stored about these properties. */
  drop(properties: readonly number[]): Promise<void>
}

/** `nextLoad` hands out load numbers that only ever grow. */
export function createFactsStore(client: ClickHouseClient, nextLoad: () => Promise<number>, layout: FactsLayout = oneServer): FactsStore {
  return {
    beginLoad: async (property, searchType) => beginLoad(client, { property, searchType, load: await nextLoad() }),
    newestLoad: (scope) => newestLoad(client, scope),
    dailyTotals: (scope) => dailyTotals(client, scope),
    currentLoads: (grain, scope) => currentLoads(client, grain, scope),
    importedRows: (question) => importedRows(client, question),
    storedTotals: (scope) => storedTotals(client, scope),
    hourTotals: (question) => hourTotals(client, question),
    forgetHours: (before) => forgetHours(client, before, layout),
    beginHours: async (property) => beginHours(client, { property, load: await nextLoad() }),
    topRows: (grain, scope, limit) => topRows(client, grain, scope, limit),
    entityFigures: (question) => entityFigures(client, question),
    entityDays: (question) => entityDays(client, question),
    entityWeeks: (question) => entityWeeks(client, question),
    pairFigures: (question) => pairFigures(client, question),
    newcomers: (question) => newcomers(client, question),
    storedDays: (question) => storedDays(client, question),
    lastDays: (ends, count) => lastDaysOf(client, ends, count),
    topCountries: (properties, span) => topCountries(client, properties, span),
    analytics: createAnalyticsFacts(client, nextLoad, layout),
    exportRows: (grain, property, scope) => keepTenant(exportRows(client, grain, property, scope)),
    drop: (properties) => dropProperties(client, properties, layout),
    settledProperties: (before) => settledProperties(client, before),
    sweep: (before) => sweepOldLoads(client, before, layout),
  }
}
