import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import type { FactRow } from '../../src/server/facts/load.ts'
import type { Grain } from '../../src/server/facts/schema.ts'
import type { EvaluatedSites } from './evaluated-sites.ts'

export type GrainRow = Omit<FactRow, 'date'> & { date?: string }
/** A day's rows in each grain. */
export type GrainDay = Partial<Record<Grain, readonly GrainRow[]>>

export const grainRow = (keys: string[], clicks: number, impressions: number, position: number): GrainRow => ({
  keys,
  clicks,
  impressions,
  position,
})

const grains: readonly Grain[] = ['total', 'page', 'query', 'query_page', 'device', 'country']

/** A property with these rows on each of thirty days; all of them are stored, except for those left out of a grain. */
export async function grainSite(
  sites: EvaluatedSites,
  {
    name,
    end,
    on,
    without = {},
  }: { name: string; end: string; on: (date: string) => GrainDay; without?: Partial<Record<Grain, readonly string[]>> },
) {
  const site = await sites.property(name, { through: end })
  const load = await sites.stores.facts.beginLoad(site.id, 'web')
  const all = eachDay(addDays(end, -29), end)
  const stored = new Map<Grain, string[]>()
  for (const grain of grains) {
    const days = all.filter((date) => !without[grain]?.includes(date))
    stored.set(grain, days)
    await load.write(
      grain,
      days.flatMap((date) => (on(date)[grain] ?? []).map((row) => ({ date, ...row }))),
    )
  }
  await load.publish(stored)
  return { ...site, completeThrough: end }
}
