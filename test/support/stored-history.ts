import type { IsoDate, SearchType } from '../../src/contract/common.ts'
import type { PlanId } from '../../src/contract/user.ts'
import { addDays, eachDay, earlier, pacificDay } from '../../src/core/analytics/days.ts'
import { type FactRow, insertRows } from '../../src/server/facts/load.ts'
import { grainDimensions } from '../../src/server/facts/schema.ts'
import { grainsOf } from '../../src/server/sync/sync-plan.ts'
import type { TestApp } from './app.ts'
import type { Profile } from './google-control.ts'
import { newPerson, propertyId } from './people.ts'
import type { Visitor } from './visitor.ts'

/** From the first stored day, or this many days; everything up to today is stored. */
type History = ({ from: IsoDate } | { days: number }) & { types?: readonly SearchType[] }

/**
 * Stores the stand-in's figures for a property as a completed sync would: nothing is left to request, and later changes at Google come with
 * the next sync. No event is emitted for the days.
 */
export async function storeHistory(app: TestApp, site: string, { types = ['web'], ...history }: History): Promise<void> {
  const { sql } = await app.stores()
  const property = await propertyId(app, site)
  const now = app.google.now()
  const today = pacificDay(now)
  const from = 'from' in history ? history.from : addDays(today, 1 - history.days)
  let through = today
  for (const type of types) through = await storeDays(app, { property, site, type, from, through: today })
  await sql(
    `INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from, final_through, fetched_through)
     SELECT $1, type, $3, $3, $4, $5 FROM unnest($2::text[]) AS type
     ON CONFLICT (property_id, search_type) DO UPDATE SET backfill_to = excluded.backfill_to, backfilled_from = excluded.backfilled_from,
       final_through = excluded.final_through, fetched_through = excluded.fetched_through`,
    [property, types, from, through, today],
  )
  await sql(
    `INSERT INTO property_syncs (property_id, state, last_synced_at, facts_version, complete_through, types_probed_at)
     VALUES ($1, 'ok', $2, 1, $3, $2)
     ON CONFLICT (property_id) DO UPDATE SET state = 'ok', last_synced_at = excluded.last_synced_at,
       facts_version = property_syncs.facts_version + 1, complete_through = excluded.complete_through, types_probed_at = excluded.types_probed_at`,
    [property, now, through],
  )
}

/** The same for a property that its owner monitors from now on. */
export async function watchedAtOnce(app: TestApp, site: string, history: History): Promise<void> {
  await storeHistory(app, site, history)
  await watch(app, site)
}

/** Makes a property its owner's monitored one without Google: nothing is requested. */
export async function watch(app: TestApp, site: string): Promise<void> {
  const { sql } = await app.stores()
  await sql(
    `WITH monitored AS (UPDATE properties SET monitored = true, monitored_at = $2 WHERE name = $1 RETURNING id, user_id)
     UPDATE people SET selected_property_id = monitored.id FROM monitored WHERE people.user_id = monitored.user_id`,
    [site, app.google.now()],
  )
}

/** A new user who monitors one property with some stored days of history, including today. */
export async function ownerAtOnce(app: TestApp, site: string, { days, profile = 'empty', ...person }: Owner): Promise<Visitor> {
  const owner = await newPerson(app, { ...person, sites: { [site]: profile } })
  await watchedAtOnce(app, site, { days })
  return owner
}

type Owner = { days: number; profile?: Profile; email?: string; plan?: PlanId }

type Days = { property: number; site: string; type: SearchType; from: IsoDate; through: IsoDate }

/** Days per request: the stand-in's answer for a month of the largest sample site fits comfortably. */
const daysAtOnce = 31

/** Returns the last final day. */
async function storeDays(app: TestApp, { property, site, type, from, through }: Days): Promise<IsoDate> {
  const { facts } = await app.stores()
  const load = await facts.beginLoad(property, type)
  let final = through
  for (const grain of grainsOf(type)) {
    const dims = ['date', ...grainDimensions[grain]].join(',')
    let rows: FactRow[] = []
    for (let start = from; start <= through; start = addDays(start, daysAtOnce)) {
      const end = earlier(addDays(start, daysAtOnce - 1), through)
      const answer = await app.google.totals({ site, start, end, dims, type, dataState: 'all' })
      final = answer.finalDate
      for (const {
        keys: [date = '', ...keys],
        clicks,
        impressions,
        position = 0,
      } of answer.rows)
        rows.push({ date, keys, clicks, impressions, position })
      // An insert costs much the same however small it is.
      if (rows.length < insertRows && end < through) continue
      await load.write(grain, rows)
      rows = []
    }
  }
  const days = eachDay(from, through)
  await load.publish(new Map(grainsOf(type).map((grain) => [grain, days])))
  return final
}
