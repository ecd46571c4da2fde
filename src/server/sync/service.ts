import type { SyncStatus } from '../../contract/sync.ts'
import type { IsoDate } from '../../contract/common.ts'
import { earlier, pacificDay } from '../../core/analytics/days.ts'
import type { SearchConsole } from '../google/search-console.ts'
import type { Log } from '../platform/log.ts'
import type { Connections } from '../sites/service.ts'
import { type AskDeps, askFor } from './ask-google.ts'
import { googleSource } from './google-source.ts'
import type { PageFetcher } from './page-fetcher.ts'
import type { HourSync } from './hours/service.ts'
import { dueProperties, type PropertyQueue } from './property-queue.ts'
import type { NoteProblem } from './note-problem.ts'
import { explainState } from './problems.ts'
import type { StatusRow, StatusStore } from './status-store.ts'
import type { SyncTarget, TypeCoverage } from './store.ts'
import { type Coverage, notBegun, type Progress, progress, secondsLeft } from './sync-plan.ts'
import { type SyncDeps, syncProperty } from './sync-property.ts'

export { explainState } from './problems.ts'

export type SyncServiceDeps = SyncDeps &
  AskDeps & {
    connections: Connections
    searchConsole: SearchConsole
    pages: PageFetcher
    log: Log
    noteProblem: NoteProblem
    status: StatusStore
    /** Refreshes today's figures along with a property's days. */
    hours: Pick<HourSync, 'refresh'>
    propertyQueue: PropertyQueue
    /** One turn of a property before others get theirs. */
    sliceMs?: number | undefined
  }

const firstOf = (a: IsoDate | null, b: IsoDate | null): IsoDate | null => (a !== null && b !== null ? earlier(a, b) : (a ?? b))

type Slice = {
  signal: AbortSignal
  /** Whether others wait for the place: checked between two chunks. */
  isToYield: () => Promise<boolean>
}

const usualSliceMs = 15_000
/** A sync that was requested, or has more to do, starts within this time, or no longer shows as running. */
const startMs = 10_000

export function createSyncService(deps: SyncServiceDeps) {
  const { sliceMs = usualSliceMs } = deps
  const inMs = (ms: number) => new Date(deps.clock.now().getTime() + ms)

  /** A site waiting for its first turn has all of its days to go. */
  function daysOf({ kind, monitored, connection }: StatusRow, coverages: readonly Coverage[]): Progress {
    const today = pacificDay(deps.clock.now())
    const waits = kind === 'google' && monitored && connection !== null && coverages.length === 0
    return progress(waits ? [notBegun(today)] : coverages, today)
  }

  async function statusesOf(rows: readonly StatusRow[]): Promise<SyncStatus[]> {
    const synced = rows.filter(({ kind }) => kind === 'google').map(({ propertyId }) => propertyId)
    const coverages = synced.length > 0 ? await deps.store.coveragesOf(synced) : new Map<number, TypeCoverage[]>()
    return rows.map((row) => statusOf(row, coverages.get(row.propertyId) ?? []))
  }

  function statusOf(row: StatusRow, coverages: readonly TypeCoverage[]): SyncStatus {
    const state = row.kind === 'google' && row.connection && row.connection !== 'ok' ? row.connection : (row.state ?? 'never')
    const days = daysOf(row, coverages)
    const web = coverages.find((coverage) => coverage.searchType === 'web')
    const explanation = explainState(state, row.property, row.state === state ? row.message : null)
    const now = deps.clock.now()
    const run = row.runBeganAt && row.runDaysLeft !== null ? { beganAt: row.runBeganAt, daysLeft: row.runDaysLeft } : null
    return {
      property: row.property,
      state,
      message: explanation?.message ?? null,
      action: explanation?.action ?? null,
      // However slow Google is, a process waiting for it holds the property.
      running: row.held || [row.runningUntil, row.hoursAwaitedUntil].some((end) => end !== null && end > now),
      ...days,
      secondsLeft: secondsLeft(run, days.daysLeft, now),
      lastSyncedAt: row.lastSyncedAt?.toISOString() ?? null,
      retryAt: row.retryAt?.toISOString() ?? null,
      completeThrough: row.completeThrough,
      firstDate: firstOf(web?.backfilledFrom ?? null, row.importedFrom),
      lastDate: web?.fetchedThrough ?? row.completeThrough,
    }
  }

  /** Notes the start of a run that has days to fetch. */
  async function markRun(propertyId: number): Promise<void> {
    const now = deps.clock.now()
    const coverages = await deps.store.coverages(propertyId)
    const { daysLeft } = progress(coverages.length > 0 ? coverages : [notBegun(pacificDay(now))], pacificDay(now))
    if (daysLeft > 0) await deps.status.markRun(propertyId, { beganAt: now, daysLeft })
  }

  async function slice(target: SyncTarget, { signal, isToYield }: Slice): Promise<'done' | 'more'> {
    const { propertyId } = target
    const end = performance.now() + sliceMs
    await deps.status.markRunning(propertyId, inMs(startMs))
    await markRun(propertyId)
    let goesOn = false
    try {
      const source = googleSource(askFor(deps, target, signal), deps, target.name, signal)
      const isWanted = async () => (await deps.store.target(propertyId)) !== null
      let chunks = 0
      // However slow Google is, every slice completes one chunk and so makes progress.
      const mayGoOn = async () =>
        !signal.aborted && (await isWanted()) && (++chunks === 1 || (performance.now() < end && !(await isToYield())))
      const answer = await syncProperty(deps, source, target, mayGoOn)
      if (answer.outcome !== 'stopped') {
        await deps.connections.noteWorks(target.userId)
        if (answer.outcome === 'done') await deps.store.newRound(propertyId)
        goesOn = answer.outcome === 'more' && (await isWanted())
        return answer.outcome
      }
      // If the owner disconnected or renewed consent meanwhile, the problem no longer exists.
      const now = await deps.store.target(propertyId)
      if (now === null) return 'done'
      if (now.consentAt?.getTime() !== target.consentAt?.getTime()) return 'more'
      await deps.noteProblem(target, answer.problem)
      return 'done'
    } finally {
      deps.priorities.leave(target)
      await deps.status.markRunning(propertyId, goesOn ? inMs(startMs) : null)
    }
  }

  return {
    /**
     * Runs one slice of a property's sync. Returns whether there is more to do at once; a problem is stored on the property with what to do
     * about it and when to continue.
     */
    async runSlice(propertyId: number, how: Slice): Promise<'done' | 'more'> {
      const target = await deps.store.target(propertyId)
      if (!target) return 'done'
      try {
        return await slice(target, how)
      } catch (error) {
        // Deleted meanwhile, with its owner's account: there is nothing left to note anything on.
        if (!(await deps.store.exists(propertyId))) return 'done'
        throw error
      }
    },

    ...dueProperties(deps),

    /** Starts syncing a property; the one its owner looks at comes first. */
    async start(propertyId: number): Promise<void> {
      const target = await deps.store.target(propertyId)
      if (!target) return
      const property = { propertyId, userId: target.userId }
      await (target.selected ? deps.propertyQueue.send(property, { urgent: true }) : deps.propertyQueue.admit([property]))
    },

    /** The owner asked for a refresh, which ends any waiting time. Returns null for a property that isn't theirs. */
    async refresh(userId: string, property: string): Promise<SyncStatus | null> {
      const [row] = await deps.status.statuses(userId, { name: property })
      if (!row) return null
      const [status] = await statusesOf([row])
      if (!status || row.kind === 'imported') return status ?? null
      await deps.store.clearWait(row.propertyId)
      await deps.store.newRound(row.propertyId)
      await deps.status.markRunning(row.propertyId, inMs(startMs))
      await deps.hours.refresh(row.propertyId)
      await deps.propertyQueue.send({ propertyId: row.propertyId, userId }, { urgent: true })
      return { ...status, running: true }
    },

    /** Google was reconnected: everything of this person continues. */
    async resume(userId: string): Promise<void> {
      await deps.store.endWaits(userId, { now: deps.clock.now(), runningUntil: inMs(startMs) })
      await deps.propertyQueue.admit(await deps.store.due(deps.clock.now(), userId))
    },

    /** For monitored properties, or the one named. */
    statuses: async (userId: string, property?: string): Promise<SyncStatus[]> =>
      statusesOf(await deps.status.statuses(userId, property === undefined ? 'monitored' : { name: property })),

    /** For all of a person's properties, monitored or not. */
    allStatuses: async (userId: string): Promise<SyncStatus[]> => statusesOf(await deps.status.statuses(userId, 'all')),
  }
}
export type SyncService = ReturnType<typeof createSyncService>
