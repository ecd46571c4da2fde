import { propertyName } from '../../core/accounts/property-name.ts'
import type { GoogleProblem } from '../google/problem.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Connections } from '../sites/service.ts'
import { explainState, retryDelayMs, stateOf } from './problems.ts'
import type { SyncStore } from './store.ts'

export type NoteProblem = (target: { propertyId: number; userId: string; name: string }, problem: GoogleProblem) => Promise<void>

/** Stores on a property why Google returns nothing for it, what to do about it, and when to try again. */
export const noteProblemWith =
  (deps: { store: SyncStore; connections: Connections; clock: Clock; log: Log; random: () => number }): NoteProblem =>
  async (target, problem) => {
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
        detail = `Search Console lists this site as ${propertyName(other)}, not ${propertyName(target.name)}. Choose ${propertyName(other)} instead.`
      }
    }
    const delay = retryDelayMs(problem, deps.random)
    await deps.store.stopped(target.propertyId, {
      state,
      message: explainState(state, target.name, detail)?.message ?? null,
      retryAt: delay === null ? null : new Date(deps.clock.now().getTime() + delay),
    })
  }
