import type { Period } from '../../contract/metrics.ts'
import { addDays, daysBetween } from '../../core/analytics/days.ts'
import { previousPeriod } from '../../core/analytics/periods.ts'
import { cutOffDays, storedLoads } from '../facts/stored-loads.ts'
import type { FactsStore } from '../facts/store.ts'
import { findWindow, windowGrains } from '../facts/questions/window.ts'
import type { WindowId } from '../facts/questions/window-columns.ts'
import type { Clock } from '../platform/clock.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { abandonedNow, tenantNow } from '../platform/tenant.ts'
import type { CompleteProperty } from './asked-property.ts'
import { createAnswerCache } from './cache.ts'
import type { Periods } from './parts.ts'

/** A prepared window (docs/decisions/0025), and what is to be known of its days. */
export type Window = {
  id: WindowId
  current: Period
  /** Null where nothing is compared; then nothing is to be read of the compared period, though the window holds one. */
  previous: Period | null
  /** Days of the period on which queries were shown, at least 1. */
  queryDays: number
  /** Days of the period on which Google cut its lists off. */
  cutOffDays: Record<(typeof windowGrains)[number], number>
}

/** A window is read for as long, and kept for longer, so that none goes while somebody reads it. */
const readForDays = 1
const keptForDays = 3

const knownWindows = { entries: 1_000, bytes: 1024 * 1024, bytesOfTenant: 256 * 1024 }

const utcDay = (clock: Clock): string => clock.now().toISOString().slice(0, 10)

/** Day before which windows that were made are not read any more. */
export const oldWindowsBefore = (clock: Clock): string => addDays(utcDay(clock), -keptForDays)

/** Finds prepared windows and has missing ones made: what somebody waits for one at a time, people by turns and of each the shortest first, because each takes both threads of the engine. */
export function createWindows({ facts, clock }: { facts: FactsStore; clock: Clock }) {
  const known = createAnswerCache(knownWindows)
  const oneAtATime = createFairShare({ places: 1, perTenant: 1 })

  async function prepare(property: CompleteProperty, spans: { current: Period; previous: Period }, background: boolean): Promise<Window> {
    const { current, previous } = spans
    const loads = await facts.ask(storedLoads, { property: property.id, grains: windowGrains, spans: [current, previous] })
    const source = { property: property.id, current, previous, loads }
    const today = utcDay(clock)
    const find = () => facts.ask(findWindow, source, addDays(today, -readForDays))
    const make = () => facts.makeWindow(source, { made: today, threads: background ? 1 : 2 })
    const id =
      (await find()) ??
      (await (background
        ? make()
        : oneAtATime.run(tenantNow(), async () => (await find()) ?? make(), { rank: loads.length, signal: abandonedNow() })))
    const now = loads.filter(({ date }) => date >= current.start && date <= current.end)
    return {
      id,
      current,
      previous,
      queryDays: Math.max(1, now.filter(({ grain, rows }) => grain === 'query' && rows > 0).length),
      cutOffDays: { page: cutOffDays(now, 'page'), query: cutOffDays(now, 'query'), query_page: cutOffDays(now, 'query_page') },
    }
  }

  return {
    /** @param background nobody waits for it: it takes half of the engine and stands in nobody's way */
    async of(property: CompleteProperty, { current, previous: compared }: Periods, { background = false } = {}): Promise<Window> {
      const { id, factsVersion } = property
      // Without a comparison, half of the usual window is read.
      const previous = compared ?? previousPeriod(current, daysBetween(current.start, current.end))
      const key = [id, factsVersion, current.start, current.end, previous.start, utcDay(clock)].join(':')
      const window = await known.get(key, () => prepare(property, { current, previous }, background))
      return compared === null ? { ...window, previous: null } : window
    },
  }
}
export type Windows = ReturnType<typeof createWindows>
