import type { Period } from '../../contract/metrics.ts'
import { addDays, daysBetween } from '../../core/analytics/days.ts'
import { previousPeriod } from '../../core/analytics/periods.ts'
import { diskIsFull, Refusal } from '../common/errors.ts'
import { takeOfDay, usedOfDay } from '../database/day-counts.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Db } from '../database/open.ts'
import type { WindowId } from '../facts/questions/window-columns.ts'
import { findWindow, type Making, windowGrains, windowRows } from '../facts/questions/window.ts'
import { diskRooms, spareRoom } from '../facts/disk-rooms.ts'
import type { FactsStore } from '../facts/store.ts'
import { cutOffDays, scoredDays, type StoredLoad, storedLoads } from '../facts/stored-loads.ts'
import type { Clock } from '../platform/clock.ts'
import { ahead, createFairShare } from '../platform/fair-share.ts'
import { abandonedNow, holdsSlotNow, partOfThis, serverTenant, tenantNow, runAs } from '../platform/tenant.ts'
import type { CompleteProperty } from './requested-property.ts'
import { createAnswerCache } from '../common/answer-cache.ts'
import type { Periods } from './parts.ts'

/** A prepared window (docs/decisions/0025), and facts about its days. */
export type Window = {
  id: WindowId
  current: Period
  /** Null without a comparison; then the compared period must not be read, although the window has one. */
  previous: Period | null
  /** Days of the period with impressions in each of its lists, at least 1. */
  days: Record<WindowGrain, number>
  /** Days of the period on which Google cut its lists off. */
  cutOffDays: Record<WindowGrain, number>
}

type WindowGrain = (typeof windowGrains)[number]
const ofEach = (count: (grain: WindowGrain) => number): Record<WindowGrain, number> => ({
  page: count('page'),
  query: count('query'),
  query_page: count('query_page'),
})

/** How long a window is read, and how much longer it is kept, so that none disappears while it is being read. */
const readForDays = 1
const keptForDays = 3

/** How many rows of windows may be built for one account per day: there are as many periods as pairs of days. */
export const windowRowsADay = 200_000_000
/** How many thousand rows may be read for them: a hundred million rows with few names take a minute to read and make a small window. */
export const windowThousandsReadADay = 5_000_000
const tooMany = "You've viewed too many different periods today. Reopen one of them, or use Explore, which accepts any period."

const knownWindows = { entries: 1_000, bytes: 1024 * 1024, bytesOfTenant: 256 * 1024 }

type Written = NonNullable<Making['written']>

const utcDay = (clock: Clock): string => clock.now().toISOString().slice(0, 10)

/** Windows made before this day are no longer read. */
export const oldWindowsBefore = (clock: Clock): string => addDays(utcDay(clock), -keptForDays)

/**
 * Finds prepared windows and creates missing ones. Those somebody waits for are made one at a time, people taking turns, each person's
 * shortest first, because each uses both threads of the engine.
 */
export function createWindows({ db, facts, clock }: { db: Db; facts: FactsStore; clock: Clock }) {
  const known = createAnswerCache(knownWindows)
  const oneAtATime = createFairShare({ places: 1, perTenant: 1, isScarce: true })
  /** A person's shortest window goes first, after those that a report or an evaluation waits for. */
  const turn = (loads: readonly StoredLoad[]) => ({ rank: holdsSlotNow() ? ahead.rank : loads.length, signal: abandonedNow() })

  /** @throws Refusal 429 once the account's rows of the day are used up, 503 while the store's disk is nearly full */
  async function counted(loads: readonly StoredLoad[], make: (written?: Written) => Promise<WindowId>): Promise<WindowId> {
    const whose = tenantNow()
    if (whose === serverTenant) return make()
    const [count, readCount] = [{ what: 'window-row', whose } as const, { what: 'window-thousand-read', whose } as const]
    if ((await usedOfDay(db, count, clock.now())) >= windowRowsADay) throw new Refusal(429, tooMany)
    if ((await usedOfDay(db, readCount, clock.now())) >= windowThousandsReadADay) throw new Refusal(429, tooMany)
    if ((await facts.ask(diskRooms)).some((room) => spareRoom(room) <= 0)) throw new Refusal(503, diskIsFull('new periods'))
    // Beforehand: it is read even if it takes too long, or nobody waits for it anymore.
    const toRead = Math.ceil(loads.reduce((sum, { rows }) => sum + rows, 0) / 1_000)
    await inTransaction(db, (trx) => takeOfDay(trx, readCount, toRead, windowThousandsReadADay, clock.now()))
    // Afterwards, whether or not it was finished and anybody still waits for it: its rows are on disk.
    const tenancy = partOfThis(undefined, whose)
    return make((id) =>
      runAs(tenancy, async () => {
        const rows = await facts.ask(windowRows, id)
        await inTransaction(db, (trx) => takeOfDay(trx, count, rows, windowRowsADay, clock.now()))
      }),
    )
  }

  async function prepare(property: CompleteProperty, spans: { current: Period; previous: Period }, background: boolean): Promise<Window> {
    const { current, previous } = spans
    const loads = await facts.ask(storedLoads, { property: property.id, grains: windowGrains, spans: [current, previous] })
    const source = { property: property.id, current, previous, loads }
    const today = utcDay(clock)
    const find = () => facts.ask(findWindow, source, addDays(today, -readForDays))
    const make = (written?: Written) => facts.makeWindow(source, { made: today, threads: background ? 1 : 2, ...(written && { written }) })
    const id =
      (await find()) ??
      (await (background
        ? counted(loads, make)
        : oneAtATime.run(tenantNow(), async () => (await find()) ?? counted(loads, make), turn(loads))))
    const now = loads.filter(({ date }) => date >= current.start && date <= current.end)
    return {
      id,
      current,
      previous,
      days: ofEach((grain) => scoredDays(now, grain)),
      cutOffDays: ofEach((grain) => cutOffDays(now, grain)),
    }
  }

  return {
    /** @param background nobody waits for it: it uses half of the engine and delays nobody */
    async of(property: CompleteProperty, { current, previous: compared }: Periods, { background = false } = {}): Promise<Window> {
      const { id, factsVersion } = property
      // Without a comparison, only half of the usual window is read.
      const previous = compared ?? previousPeriod(current, daysBetween(current.start, current.end))
      const key = [id, factsVersion, current.start, current.end, previous.start, utcDay(clock)].join(':')
      const window = await known.get(key, () => prepare(property, { current, previous }, background))
      return compared === null ? { ...window, previous: null } : window
    },
  }
}
export type Windows = ReturnType<typeof createWindows>
