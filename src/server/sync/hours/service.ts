import { addDays, pacificDay } from '../../../core/analytics/days.ts'
import type { EventBus } from '../../common/events.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { GoogleProblem } from '../../google/problem.ts'
import type { SearchConsole } from '../../google/search-console.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type AskDeps, askFor } from '../ask-google.ts'
import { dueProperties, type PropertyQueue } from '../property-queue.ts'
import type { NoteProblem } from '../note-problem.ts'
import { retryDelayMs } from '../problems.ts'
import { changedDays, hourlyDays, knownHours } from './hour-days.ts'
import type { HourSyncStore, HourTarget } from './store.ts'
import { hourTotals } from '../../facts/questions/hours.ts'

type HourSyncDeps = AskDeps & {
  store: HourSyncStore
  facts: FactsStore
  searchConsole: SearchConsole
  clock: Clock
  events: EventBus
  log: Log
  noteProblem: NoteProblem
  propertyQueue: PropertyQueue
}

/** Hours that somebody waits for arrive within this time, or the wait ends. */
const awaitMs = 10_000

/** Stores Google's hourly figures (docs/decisions/0029). */
export function createHourSync(deps: HourSyncDeps) {
  const inMs = (ms: number) => new Date(deps.clock.now().getTime() + ms)

  /**
   * One request for all the days Google has by the hour: new hours, revised ones, and those missed during downtime. Replaces whole days at
   * once, and only those that differ, so repeating it changes nothing.
   */
  async function syncHours(target: HourTarget, signal: AbortSignal): Promise<void> {
    const { propertyId, name } = target
    const now = deps.clock.now()
    const today = pacificDay(now)
    const from = addDays(today, -hourlyDays)
    // Take the number before asking: of two answers, the one asked for later has to win.
    const load = await deps.facts.beginHours(propertyId)
    const question = { siteUrl: name, searchType: 'web', startDate: from, endDate: today } as const
    const answer = await askFor(deps, target, signal)((token) => deps.searchConsole.hours(token, question, signal))
    if (!answer.ok) return stopped(target, answer.problem)

    const { hours, completeThrough } = knownHours(answer.value, now)
    const changed = changedDays(await deps.facts.ask(hourTotals, { property: propertyId, from, to: today }), hours)
    // Hours may have been switched off while Google was asked.
    if ((await deps.store.target(propertyId)) === null) return
    const last = hours.at(-1)
    if (changed.size > 0) await deps.store.note(propertyId, { toTell: true })
    await load.store(changed)
    await deps.store.note(propertyId, { retryAt: null, ...(last && { through: new Date(last.at), completeThrough }) })
    if (completeThrough !== null && (changed.size > 0 || target.toTell)) {
      await deps.events.emit('hoursChanged', { propertyId, through: completeThrough.toISOString() })
    }
    await deps.store.note(propertyId, { askedAt: now, toTell: false })
  }

  /** Records a problem that a person has to fix, as the daily sync does; only logs a temporary one. */
  async function stopped(target: HourTarget, problem: GoogleProblem): Promise<void> {
    const now = await deps.store.target(target.propertyId)
    // If the owner disconnected or renewed consent meanwhile, the problem no longer exists.
    if (now === null || now.consentAt.getTime() !== target.consentAt.getTime()) return
    if (forPerson.has(problem.kind)) await deps.noteProblem(target, problem)
    else deps.log.warn({ property: target.name, kind: problem.kind, detail: problem.detail }, 'hourly data could not be stored')
    const delay = retryDelayMs(problem, deps.retry.random)
    await deps.store.note(target.propertyId, { retryAt: delay === null ? null : inMs(delay) })
  }

  return {
    /** Brings one property's hours up to date, if it has hours. */
    async run(propertyId: number, signal: AbortSignal): Promise<void> {
      const target = await deps.store.target(propertyId)
      try {
        if (target) await syncHours(target, signal)
      } catch (error) {
        // Deleted meanwhile, with its owner's account.
        if (await deps.store.exists(propertyId)) throw error
      } finally {
        await deps.store.notAwaited(propertyId)
      }
    },

    ...dueProperties(deps),

    /** This person now has a plan with hours or a working Google account: fetches their hours at once. */
    async start(userId: string): Promise<void> {
      const now = deps.clock.now()
      // Properties without a place in the queue stay due until they get one.
      for (const propertyId of await deps.store.ofPerson(userId)) await deps.store.note(propertyId, { retryAt: now })
      await deps.propertyQueue.admit(await deps.store.due(now, userId))
    },

    /** Starts syncing a property. */
    async begin(propertyId: number): Promise<void> {
      const target = await deps.store.target(propertyId)
      // With very many properties, it is due until there is a place; nobody is asked to wait for it meanwhile.
      if (target === null || !(await deps.propertyQueue.hasRoom(target.userId))) return
      await deps.store.note(propertyId, { retryAt: null, awaitedUntil: inMs(awaitMs) })
      await deps.propertyQueue.send({ propertyId, userId: target.userId })
    },

    /** Somebody wants to see the hours now. */
    async refresh(propertyId: number): Promise<void> {
      const target = await deps.store.target(propertyId)
      if (target === null) return
      await deps.store.note(propertyId, { retryAt: null, awaitedUntil: inMs(awaitMs) })
      await deps.propertyQueue.send({ propertyId, userId: target.userId }, { urgent: true })
    },
  }
}
export type HourSync = ReturnType<typeof createHourSync>

/** Problems that don't go away without a person. */
const forPerson: ReadonlySet<GoogleProblem['kind']> = new Set(['token_revoked', 'scope_missing', 'api_disabled', 'permission_missing'])
