import type { ClickHouseClient } from '@clickhouse/client'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { keepTenant } from '../platform/tenant.ts'
import { dropProperties } from './drop.ts'
import { type ExportRow, exportRows, type ExportScope } from './export-rows.ts'
import { type FactsLayout, oneServer } from './layout.ts'
import { beginLoad, type Load } from './load.ts'
import { newestLoad } from './newest-load.ts'
import type { Scope } from './question.ts'
import { beginHours, forgetHours, type HoursLoad } from './questions/hours.ts'
import { dropWindows, makeWindow, type Making, type WindowSource } from './questions/window.ts'
import type { WindowId } from './questions/window-columns.ts'
import type { Grain } from './schema.ts'
import { sweepOldLoads } from './sweep.ts'

/** The analytics store as capabilities see it: write loads, ask questions. */
export type FactsStore = {
  /** Asks one of the questions in this folder, such as `facts.ask(dailyTotals, scope)`. */
  ask<Asked extends unknown[], Answer>(question: (client: ClickHouseClient, ...asked: Asked) => Answer, ...asked: Asked): Answer
  beginLoad(property: number, searchType: SearchType): Promise<Load>
  /** The number of these days' newest load, in any grain; 0 if none is stored. */
  newestLoad(scope: Scope): Promise<number>
  beginHours(property: number): Promise<HoursLoad>
  /** Deletes the hours of all days before this one. */
  forgetHours(before: IsoDate): Promise<void>
  /** Sums up a window on this many engine threads; returns its id once it is complete. */
  makeWindow(source: WindowSource, making: Omit<Making, 'window'>): Promise<WindowId>
  dropWindows(madeBefore: IsoDate): Promise<void>
  /** Every row of one grain of a property, in batches; see export-rows.ts. */
  exportRows(grain: Grain, property: number, scope?: ExportScope): AsyncIterable<readonly ExportRow[]>
  /** Deletes replaced loads numbered below `before`; see sweep.ts. */
  sweep(before: number): Promise<number>
  /** Deletes everything stored about these properties. */
  drop(properties: readonly number[]): Promise<void>
}

/** `nextLoad` returns strictly increasing load numbers. */
export function createFactsStore(client: ClickHouseClient, nextLoad: () => Promise<number>, layout: FactsLayout = oneServer): FactsStore {
  return {
    ask: (question, ...asked) => question(client, ...asked),
    beginLoad: async (property, searchType) => beginLoad(client, { property, searchType, load: await nextLoad() }),
    newestLoad: (scope) => newestLoad(client, scope),
    beginHours: async (property) => beginHours(client, { property, load: await nextLoad() }),
    forgetHours: (before) => forgetHours(client, before, layout),
    makeWindow: async (source, making) => makeWindow(client, source, { ...making, window: await nextLoad() }),
    dropWindows: (madeBefore) => dropWindows(client, madeBefore, layout),
    exportRows: (grain, property, scope) => keepTenant(exportRows(client, grain, property, scope)),
    sweep: (before) => sweepOldLoads(client, before, layout),
    drop: (properties) => dropProperties(client, properties, layout),
  }
}
