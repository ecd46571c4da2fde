import { z } from 'zod'
import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { type Grain, grainDimensions, grains } from '../src/server/facts/schema.ts'
import type { StandIn } from './support.ts'

/** Rows of all grains up to a day that is final for every property. */
type FinalRows = { through: string; rows: number }

const totals = z.object({ finalDate: z.iso.date(), rows: z.array(z.unknown()) })

/** Google's rows for these properties and days, counted by the stand-in itself, without a row limit. */
export async function rowsAtGoogle({ control }: StandIn, properties: readonly string[], days: number): Promise<FinalRows> {
  const today = pacificDay(new Date())
  const start = addDays(today, 1 - days)
  const ask = async (site: string, grain: Grain, end: string) => {
    const dims = ['date', ...grainDimensions[grain]].join(',')
    return totals.parse(await control('GET', `totals?${new URLSearchParams({ site, start, end, dims, type: 'web', dataState: 'final' })}`))
  }
  let through = today
  for (const site of properties) {
    const { finalDate } = await ask(site, 'total', today)
    if (finalDate < through) through = finalDate
  }
  let rows = 0
  for (const site of properties) for (const grain of grains) rows += (await ask(site, grain, through)).rows.length
  return { through, rows }
}
