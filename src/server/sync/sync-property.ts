import type { IsoDate, SearchType } from '../../contract/common.ts'
import { searchTypes } from '../../contract/common.ts'
import { addDays, earlier, monthsBefore, pacificDay, searchConsoleMonths } from '../../core/analytics/days.ts'
import type { EventBus } from '../events.ts'
import type { FactsStore } from '../facts/store.ts'
import type { GoogleProblem } from '../google/problem.ts'
import type { Clock } from '../platform/clock.ts'
import { fetchChunk } from './fetch-chunk.ts'
import type { GoogleSource } from './google-source.ts'
import { lookForRevisions } from './revisions.ts'
import type { SyncStore, SyncTarget } from './store.ts'
import { type Chunk, chunksOf, type Coverage, freshChunks, nextBackfill } from './sync-plan.ts'
import { rankOf, type Turns } from './turns.ts'

export type SyncDeps = { store: SyncStore; facts: FactsStore; clock: Clock; events: EventBus; turns: Turns }

/** `more`: the time of this slice is up but days are left. */
export type SyncOutcome = { outcome: 'done' | 'more' } | { outcome: 'stopped'; problem: GoogleProblem }

/** How long Google's other search types are taken to stay as empty as they were found. */
const probeAgainDays = 7

/**
 * Brings one property up to date: first the days that are new or may have been revised, then the
 * backfill, newest days first. Each chunk is published on its own, so whatever stops it (time, an
 * error, kill -9), the next call goes on from there. `mayGoOn` ends a slice so that others get a turn.
 */
export async function syncProperty(
  deps: SyncDeps,
  source: GoogleSource,
  target: SyncTarget,
  mayGoOn: () => Promise<boolean>,
): Promise<SyncOutcome> {
  const today = pacificDay(deps.clock.now())
  const backfillTo = monthsBefore(today, searchConsoleMonths)
  await deps.store.ensureType(target.propertyId, 'web', backfillTo)

  for (const type of await deps.store.coverages(target.propertyId)) {
    const problem = await syncFresh(deps, source, target, type, today)
    if (problem) return { outcome: 'stopped', problem }
  }
  for (const { searchType } of await deps.store.coverages(target.propertyId)) {
    const answer = await syncBackfill(deps, source, { target, searchType, today }, mayGoOn)
    if (answer.outcome !== 'done') return answer
  }
  if (!probeIsDue(target, deps.clock.now())) return { outcome: 'done' }
  const problem = await probeTypes(deps, source, target, { from: backfillTo, to: today })
  if (problem) return { outcome: 'stopped', problem }
  const left = (await deps.store.coverages(target.propertyId)).some((coverage) => nextBackfill(coverage, today) !== null)
  return { outcome: left ? 'more' : 'done' }
}

async function syncFresh(
  deps: SyncDeps,
  source: GoogleSource,
  target: SyncTarget,
  coverage: Coverage & { searchType: SearchType },
  today: IsoDate,
): Promise<GoogleProblem | null> {
  const { searchType } = coverage
  // Nothing is stored yet: the backfill asks for these days itself.
  if (coverage.backfilledFrom === null) return null
  const seen = await lookForRevisions(source, deps.facts, { propertyId: target.propertyId, searchType, coverage, today })
  if (!seen.ok) return seen.problem
  const chunks = [...chunksOf(seen.value.revisedDays), ...freshChunks(coverage, today)]
  for (const chunk of chunks) {
    const problem = await storeChunk(deps, source, target, searchType, chunk)
    if (problem) return problem
  }
  await noteStored(deps, target, searchType, { through: today, final: seen.value.finalThrough, factsChanged: chunks.length > 0 })
  return null
}

async function syncBackfill(
  deps: SyncDeps,
  source: GoogleSource,
  what: { target: SyncTarget; searchType: SearchType; today: IsoDate },
  mayGoOn: () => Promise<boolean>,
): Promise<SyncOutcome> {
  const { target, searchType, today } = what
  for (;;) {
    const coverage = (await deps.store.coverages(target.propertyId)).find((entry) => entry.searchType === searchType)
    const chunk = coverage && nextBackfill(coverage, today)
    if (!coverage || !chunk) return { outcome: 'done' }
    await deps.turns.take(target, rankOf(chunk, today, target.selected))
    if (!(await mayGoOn())) return { outcome: 'more' }
    let final: IsoDate | undefined
    if (coverage.backfilledFrom === null) {
      const seen = await lookForRevisions(source, deps.facts, { propertyId: target.propertyId, searchType, coverage, today })
      if (!seen.ok) return { outcome: 'stopped', problem: seen.problem }
      final = seen.value.finalThrough
    }
    const problem = await storeChunk(deps, source, target, searchType, chunk)
    if (problem) return { outcome: 'stopped', problem }
    await noteStored(deps, target, searchType, { from: chunk.from, through: chunk.to, ...(final && { final }), factsChanged: true })
  }
}

async function storeChunk(
  deps: SyncDeps,
  source: GoogleSource,
  target: SyncTarget,
  searchType: SearchType,
  chunk: Chunk,
): Promise<GoogleProblem | null> {
  const load = await deps.facts.beginLoad(target.propertyId, searchType)
  const answer = await fetchChunk(source, load, { chunk, searchType })
  return answer.ok ? null : answer.problem
}

async function noteStored(
  deps: SyncDeps,
  target: SyncTarget,
  searchType: SearchType,
  edges: { from?: IsoDate; through: IsoDate; final?: IsoDate; factsChanged: boolean },
): Promise<void> {
  await deps.store.advance(target.propertyId, searchType, edges, deps.clock.now())
  const { final } = edges
  if (searchType !== 'web' || !final || (target.finalThrough && final <= target.finalThrough)) return
  const from = target.finalThrough ? addDays(target.finalThrough, 1) : earlier(final, edges.from ?? final)
  target.finalThrough = final
  await deps.events.emit('daysCompleted', { propertyId: target.propertyId, from, through: final })
}

const probeIsDue = (target: SyncTarget, now: Date): boolean =>
  target.typesProbedAt === null || now.getTime() - target.typesProbedAt.getTime() > probeAgainDays * 86_400_000

/** Looks which other search types the property has figures for, and takes those into the sync. */
async function probeTypes(deps: SyncDeps, source: GoogleSource, target: SyncTarget, days: Chunk): Promise<GoogleProblem | null> {
  for (const searchType of searchTypes) {
    if (searchType === 'web') continue
    const answer = await source.rows({ searchType, dimensions: ['date'], startDate: days.from, endDate: days.to, startRow: 0 })
    if (!answer.ok) return answer.problem
    if (answer.value.rows.length > 0) await deps.store.ensureType(target.propertyId, searchType, days.from)
  }
  await deps.store.typesProbed(target.propertyId, deps.clock.now())
  return null
}
