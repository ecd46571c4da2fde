import { addDays, pacificDay } from '../../../core/analytics/days.ts'
import type { EventBus } from '../../common/events.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { GoogleProblem } from '../../google/problem.ts'
import type { SearchConsole } from '../../google/search-console.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type AskDeps, askFor } from '../ask-google.ts'
import type { Owned } from '../leases.ts'
import type { SyncLine } from '../line.ts'
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
  line: SyncLine
}

/** Hours that somebody waits for are there within this time, or are no longer waited for. */
const awaitMs = 10_000

/** Stores what Google has by the hour (docs/decisions/0029). */
export function createHourSync(deps: HourSyncDeps) {
  const inMs = (ms: number) => new Date(deps.clock.now().getTime() + ms)

  /**
   * One request for all the days Google has hours of: what is new, what was revised, and what was missed while we were
   * away. Whole days are replaced at once, and only those that are another way, so doing it again changes nothing.
   */
  async function syncHours(target: HourTarget, signal: AbortSignal): Promise<void> {
    const { propertyId, name } = target
    const now = deps.clock.now()
    const today = pacificDay(now)
    const from = addDays(today, -hourlyDays)
    // The number comes before the question: of two answers the one asked for later is to stay.
    const load = await deps.facts.beginHours(propertyId)
    const question = { siteUrl: name, searchType: 'web', startDate: from, endDate: today } as const
    const answer = await askFor(deps, target, signal)((token) => deps.searchConsole.hours(token, question, signal))
    if (!answer.ok) return stopped(target, answer.problem)

    const { hours, completeThrough } = knownHours(answer.value, now)
    const changed = changedDays(await deps.facts.ask(hourTotals, { property: propertyId, from, to: today }), hours)
    // They may have been switched off while Google was asked.
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

  /** What a person has to mend is told as for the days; what passes is waited out. */
  async function stopped(target: HourTarget, problem: GoogleProblem): Promise<void> {
    const now = await deps.store.target(target.propertyId)
    // The owner may have disconnected, or given consent anew, meanwhile: then the problem is not one any more.
    if (now === null || now.consentAt.getTime() !== target.consentAt.getTime()) return
    if (forPerson.has(problem.kind)) await deps.noteProblem(target, problem)
    else deps.log.warn({ property: target.name, kind: problem.kind, detail: problem.detail }, 'hours could not be stored')
    const delay = retryDelayMs(problem, deps.retry.random)
    await deps.store.note(target.propertyId, { retryAt: delay === null ? null : inMs(delay) })
  }

  return {
    /** Brings the hours of one property up to date, if they are to be stored. */
    async run(propertyId: number, signal: AbortSignal): Promise<void> {
      const target = await deps.store.target(propertyId)
      try {
        if (target) await syncHours(target, signal)
      } catch (error) {
        // Gone meanwhile, with its owner's account.
        if (await deps.store.exists(propertyId)) throw error
      } finally {
        await deps.store.notAwaited(propertyId)
      }
    },

    /** Has hours asked for whose turn has come, of as many properties of each person as may wait at once. */
    async enqueueDue(): Promise<void> {
      await deps.line.admit(await deps.store.due(deps.clock.now()))
    },

    /** Of one person, the properties whose hours are due next. */
    dueOf: (userId: string): Promise<Owned[]> => deps.store.due(deps.clock.now(), userId),

    /** A plan with hours, or a Google account that works: those of this person are asked for at once. */
    async start(userId: string): Promise<void> {
      const now = deps.clock.now()
      // Those that find no place in line are due until they do.
      for (const propertyId of await deps.store.ofPerson(userId)) await deps.store.note(propertyId, { retryAt: now })
      await deps.line.admit(await deps.store.due(now, userId))
    },

    /** A property is to be synced from now on. */
    async begin(propertyId: number): Promise<void> {
      const target = await deps.store.target(propertyId)
      // One of very many is due until there is a place for it; nobody is told to wait for it meanwhile.
      if (target === null || !(await deps.line.hasRoom(target.userId))) return
      await deps.store.note(propertyId, { retryAt: null, awaitedUntil: inMs(awaitMs) })
      await deps.line.send({ propertyId, userId: target.userId })
    },

    /** Somebody wants to see them now. */
    async refresh(propertyId: number): Promise<void> {
      const target = await deps.store.target(propertyId)
      if (target === null) return
      await deps.store.note(propertyId, { retryAt: null, awaitedUntil: inMs(awaitMs) })
      await deps.line.send({ propertyId, userId: target.userId }, { urgent: true })
    },
  }
}
export type HourSync = ReturnType<typeof createHourSync>

/** Problems that are not over by themselves. */
const forPerson: ReadonlySet<GoogleProblem['kind']> = new Set(['token_revoked', 'scope_missing', 'api_disabled', 'permission_missing'])
