import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { keepTenant } from '../platform/tenant.ts'
import { deleteProperties } from './deletion.ts'
import { type ExportRow, exportRows, type ExportScope } from './export-rows.ts'
import { type FactsLayout, oneServer } from './layout.ts'
import { beginLoad, type Load } from './load.ts'
import { askWith, type Scope } from './question.ts'
import { beginHours, forgetHours, type HoursLoad } from './questions/hours.ts'
import type { WindowId } from './questions/window-columns.ts'
import { dropWindows, makeWindow, type Making, type WindowSource } from './questions/window.ts'
import type { Unfit } from './rewriting.ts'
import { type Grain, grains } from './schema.ts'
import { sweepOldLoads, type Swept } from './sweep.ts'

/** The analytics store as capabilities see it: write loads, ask questions. */
export type FactsStore = {
  /** Asks one of the questions in this folder, such as `facts.ask(dailyTotals, scope)`. */
  ask<Asked extends unknown[], Answer>(question: (client: ClickHouseClient, ...asked: Asked) => Answer, ...asked: Asked): Answer
  beginLoad(property: number, searchType: SearchType): Promise<Load>
  /** The number of these days' newest load, in any grain; 0 if none is stored. */
  newestLoad(scope: Scope): Promise<number>
  beginHours(property: number): Promise<HoursLoad>
  /** Deletes the hours of all days before this one, as long as the disks have room. */
  forgetHours(before: IsoDate): Promise<Unfit | undefined>
  /** Sums up a window on this many engine threads; returns its id once it is complete. */
  makeWindow(source: WindowSource, making: Omit<Making, 'window'>): Promise<WindowId>
  dropWindows(madeBefore: IsoDate): Promise<void>
  /** Every row of one grain of a property, in batches; see export-rows.ts. */
  exportRows(grain: Grain, property: number, scope?: ExportScope): AsyncIterable<readonly ExportRow[]>
  /** Deletes replaced loads numbered below `before`; see sweep.ts. */
  sweep(before: number): Promise<Swept>
  /** Deletes everything stored about these properties, as long as the disks have room; see deletion.ts. */
  drop(properties: readonly number[]): Promise<Unfit | undefined>
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
    drop: (properties) => deleteProperties(client, properties, layout),
  }
}

const newestRow = z.object({ load: z.number() })

/** The newest current load among all grains of these days; 0 if none is stored. */
async function newestLoad(client: ClickHouseClient, { property, searchType, start, end }: Scope): Promise<number> {
  const sql = `SELECT max(load) AS load FROM facts_current
    WHERE property = {property:UInt64} AND type = {type:String} AND grain IN {grains:Array(String)} AND date BETWEEN {start:Date} AND {end:Date}`
  const [newest] = await askWith(client, { sql, row: newestRow, params: { property, type: searchType, grains: [...grains], start, end } })
  return newest?.load ?? 0
}
