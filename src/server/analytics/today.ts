import type { TodayAnswer, TodaySoFar } from '../../contract/today.ts'
import { addDays, pacificDay } from '../../core/analytics/days.ts'
import { usualWeeks } from '../../core/analytics/same-hours.ts'
import { todayFrom } from '../../core/analytics/today.ts'
import { hourlyRefusal } from '../../core/billing/entitlements.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Clock } from '../platform/clock.ts'
import type { createAnswerCache } from './cache.ts'
import { hourTotals } from '../facts/questions/hours.ts'

type TodayDeps = { facts: FactsStore; db: Db; clock: Clock; cache: ReturnType<typeof createAnswerCache> }

/** Today so far, for plans with hourly data. */
export const createToday =
  ({ facts, db, clock, cache }: TodayDeps) =>
  async (person: Person, property: ReportProperty | null): Promise<TodayAnswer> => {
    const locked = hourlyRefusal(person.plan)
    if (locked !== null || property === null) return { locked, today: null }
    const sync = await db
      .selectFrom('hourSyncs')
      .where('propertyId', '=', property.id)
      .select(['askedAt', 'through', 'completeThrough'])
      .executeTakeFirst()
    if (!sync?.askedAt || !sync.through) return { locked, today: null }
    const { askedAt, completeThrough } = sync
    const date = pacificDay(clock.now())
    // Hours are stored before the time of the request is noted, so a cached answer is never older than its key.
    const today = await cache.get<TodaySoFar>(JSON.stringify(['today', property.id, askedAt, date]), async () => {
      const hours = await facts.ask(hourTotals, { property: property.id, from: addDays(date, -7 * usualWeeks), to: date })
      return todayFrom(property.name, date, hours, { completeThrough, syncedAt: askedAt })
    })
    return { locked, today }
  }
