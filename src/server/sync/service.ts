import type { SyncStatus } from '../../contract/sync.ts'
import { pacificDay } from '../../core/analytics/days.ts'
import type { GoogleProblem } from '../google/problem.ts'
import type { SearchConsole } from '../google/search-console.ts'
import type { Log } from '../platform/log.ts'
import type { Connections } from '../sites/service.ts'
import { type AskDeps, askFor } from './ask-google.ts'
import { googleSource } from './google-source.ts'
import type { PageFetcher } from './page-fetcher.ts'
import { explainState, retryDelayMs, stateOf } from './problems.ts'
import type { StatusRow, SyncTarget } from './store.ts'
import { progress } from './sync-plan.ts'
import { type SyncDeps, syncProperty } from './sync-property.ts'

export { explainState } from './problems.ts'

export type SyncServiceDeps = SyncDeps &
  AskDeps & {
    connections: Connections
    searchConsole: SearchConsole
    pages: PageFetcher
    log: Log
    /** Has a property synced soon, in whichever process; asking twice does no harm. */
    enqueue: (propertyId: number, options?: { urgent?: boolean }) => Promise<void>
  }

/** One turn of a property, after which others get theirs. */
const sliceMs = 15_000
/** A sync that was asked for starts within this time, or is no longer shown as running. */
const startMs = 10_000

export function createSyncService(deps: SyncServiceDeps) {
  const inMs = (ms: number) => new Date(deps.clock.now().getTime() + ms)

  async function noteProblem(target: { propertyId: number; userId: string; name: string }, problem: GoogleProblem): Promise<void> {
    deps.log.warn({ property: target.name, kind: problem.kind, detail: problem.detail }, 'sync stopped')
    let state = stateOf(problem.kind)
    let detail: string | null = null
    if (state === 'token_revoked' || state === 'scope_missing' || state === 'api_disabled') {
      await deps.connections.noteProblem(target.userId, state)
    }
    if (state === 'permission_missing') {
      const other = await deps.connections.otherForm(target.userId, target.name)
      if (other) {
        state = 'property_form'
        detail = `Search Console knows this site as ${other}, not as ${target.name}. Choose ${other} instead.`
      }
    }
    const delay = retryDelayMs(problem, deps.retry.random)
    await deps.store.stopped(target.propertyId, {
      state,
      message: explainState(state, target.name, detail)?.message ?? null,
      retryAt: delay === null ? null : inMs(delay),
    })
  }

  async function statusOf(row: StatusRow): Promise<SyncStatus> {
    const state = row.kind === 'google' && row.connection && row.connection !== 'ok' ? row.connection : (row.state ?? 'never')
    const coverages = row.kind === 'google' ? await deps.store.coverages(row.propertyId) : []
    const days = progress(coverages, pacificDay(deps.clock.now()))
    const web = coverages.find((coverage) => coverage.searchType === 'web')
    const explanation = explainState(state, row.property, row.state === state ? row.message : null)
    return {
      property: row.property,
      state,
      message: explanation?.message ?? null,
      action: explanation?.action ?? null,
      running: row.runningUntil !== null && row.runningUntil > deps.clock.now(),
      ...days,
      lastSyncedAt: row.lastSyncedAt?.toISOString() ?? null,
      retryAt: row.retryAt?.toISOString() ?? null,
      completeThrough: row.completeThrough,
      firstDate: web?.backfilledFrom ?? null,
      lastDate: web?.fetchedThrough ?? row.completeThrough,
    }
  }

  async function slice(target: SyncTarget, signal: AbortSignal): Promise<'done' | 'more'> {
    const { propertyId } = target
    const end = performance.now() + sliceMs
    await deps.store.markRunning(propertyId, inMs(3 * sliceMs))
    try {
      const source = googleSource(askFor(deps, target, signal), deps, target.name, signal)
      const isWanted = async () => (await deps.store.target(propertyId)) !== null
      const mayGoOn = async () => !signal.aborted && performance.now() < end && (await isWanted())
      const answer = await syncProperty(deps, source, target, mayGoOn)
      if (answer.outcome !== 'stopped') {
        await deps.connections.noteWorks(target.userId)
        return answer.outcome
      }
      // The owner may have disconnected, or given consent anew, meanwhile: then the problem is not one any more.
      const now = await deps.store.target(propertyId)
      if (now === null) return 'done'
      if (now.consentAt?.getTime() !== target.consentAt?.getTime()) return 'more'
      await noteProblem(target, answer.problem)
      return 'done'
    } finally {
      deps.turns.leave(propertyId)
      await deps.store.markRunning(propertyId, null)
    }
  }

  return {
    /**
     * Runs one slice of a property's sync. Answers whether more is to be done at once; a problem is
     * stored on the property with what to do about it and when to go on.
     */
    async runSlice(propertyId: number, signal: AbortSignal): Promise<'done' | 'more'> {
      const target = await deps.store.target(propertyId)
      if (!target) return 'done'
      try {
        return await slice(target, signal)
      } catch (error) {
        // Gone meanwhile, with its owner's account: nothing about it can be noted any more, and nobody wants it to be.
        if (!(await deps.store.exists(propertyId))) return 'done'
        throw error
      }
    },

    /** Has every property synced whose turn has come. */
    async enqueueDue(): Promise<void> {
      for (const propertyId of await deps.store.due(deps.clock.now())) await deps.enqueue(propertyId)
    },

    /** The owner wants it now: waits are lifted. Answers null for a property that is not theirs. */
    async refresh(userId: string, property: string): Promise<SyncStatus | null> {
      const [row] = await deps.store.statuses(userId, property)
      if (!row) return null
      if (row.kind === 'imported') return statusOf(row)
      await deps.store.clearWait([row.propertyId])
      await deps.store.markRunning(row.propertyId, inMs(startMs))
      await deps.enqueue(row.propertyId, { urgent: true })
      return { ...(await statusOf(row)), running: true }
    },

    /** Google was connected again: everything of this person goes on. */
    async resume(userId: string): Promise<void> {
      const ids = await deps.store.syncableOf(userId)
      await deps.store.clearWait(ids)
      for (const id of ids) await deps.enqueue(id)
    },

    async statuses(userId: string, property?: string): Promise<SyncStatus[]> {
      const rows = await deps.store.statuses(userId, property)
      return Promise.all(rows.map(statusOf))
    },
  }
}
export type SyncService = ReturnType<typeof createSyncService>
