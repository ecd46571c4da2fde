import { type IsoDate, type SearchType, searchTypes } from '../../contract/common.ts'
import { addDays, eachDay, earlier, later, pacificDay } from '../../core/analytics/days.ts'
import type { EventBus } from '../common/events.ts'
import { type DailyTotal, dailyTotals } from '../facts/questions/daily-totals.ts'
import type { FactsStore } from '../facts/store.ts'
import type { GoogleProblem, GoogleResult } from '../google/problem.ts'
import type { AnalyticsRow } from '../google/search-console.ts'
import type { Clock } from '../platform/clock.ts'
import type { BackfillLoads } from './backfill-load.ts'
import { fetchChunk } from './fetch-chunk.ts'
import type { GoogleSource } from './google-source.ts'
import { type Priorities, rankOf } from './priorities.ts'
import type { SyncStore, SyncTarget, TypeCoverage } from './store.ts'
import { type Chunk, chunksOf, type Coverage, freshChunks, nextBackfill, notBegun, recheckDays } from './sync-plan.ts'

export type SyncDeps = {
  store: SyncStore
  facts: FactsStore
  backfills: BackfillLoads
  clock: Clock
  events: EventBus
  priorities: Priorities
}

/** `more`: this slice's time is up but days are left. */
export type SyncOutcome = { outcome: 'done' | 'more' } | { outcome: 'stopped'; problem: GoogleProblem }

/** A round that lasts longer requests new and revised days again. */
const catchUpAgainMs = 3_600_000

/** How long Google's other search types, once found empty, are assumed to stay so. */
const probeAgainDays = 7

/**
 * Brings one property up to date: first the days that are new or may have been revised, once per round, then the backfill, newest days
 * first. Each chunk is published and noted on its own, so after any interruption (time, an error, kill -9) the next call continues from
 * there. `mayGoOn`, asked before each chunk, ends a slice so that others get a turn.
 */
export async function syncProperty(
  deps: SyncDeps,
  source: GoogleSource,
  target: SyncTarget,
  mayGoOn: () => Promise<boolean>,
): Promise<SyncOutcome> {
  const today = pacificDay(deps.clock.now())
  const { backfillTo } = notBegun(today)
  if (!target.hasImports) await deps.store.ensureType(target.propertyId, 'web', backfillTo)
  await deps.store.keepBackfillsWithin(target.propertyId, backfillTo)
  // Before anything is fetched: the days of a search type found later would be added to those left.
  const problem = probeIsDue(target, deps.clock.now()) ? await probeTypes(deps, source, target, { from: backfillTo, to: today }) : null
  // A request that Google doesn't understand is set aside: it says nothing about the days.
  if (problem && problem.kind !== 'bad_request') return { outcome: 'stopped', problem }

  for (const coverage of await deps.store.coverages(target.propertyId)) {
    const answer = await syncFresh(deps, source, { target, coverage, today }, mayGoOn)
    if (answer.outcome !== 'done') return answer
  }
  for (const coverage of await deps.store.coverages(target.propertyId)) {
    const answer = await syncAppearances(deps, source, { target, coverage, backfillTo }, mayGoOn)
    if (answer.outcome !== 'done') return answer
  }
  for (const { searchType } of await deps.store.coverages(target.propertyId)) {
    const answer = await syncBackfill(deps, source, { target, searchType, today }, mayGoOn)
    if (answer.outcome !== 'done') return answer
  }
  return problem ? { outcome: 'stopped', problem } : { outcome: 'done' }
}

async function syncFresh(
  deps: SyncDeps,
  source: GoogleSource,
  what: { target: SyncTarget; coverage: TypeCoverage; today: IsoDate },
  mayGoOn: () => Promise<boolean>,
): Promise<SyncOutcome> {
  const { target, coverage, today } = what
  const { searchType } = coverage
  // Nothing is stored yet, so the backfill requests these days itself.
  if (coverage.backfilledFrom === null || isCaughtUp(coverage, deps.clock.now())) return { outcome: 'done' }
  if (!(await mayGoOn())) return { outcome: 'more' }
  const seen = await lookForRevisions(source, deps.facts, { propertyId: target.propertyId, searchType, coverage, today })
  if (!seen.ok) return { outcome: 'stopped', problem: seen.problem }
  const { finalThrough, revisedDays } = seen.value
  const chunks = [...chunksOf(revisedDays), ...freshChunks(coverage, today)]
  for (const [at, chunk] of chunks.entries()) {
    if (at > 0 && !(await mayGoOn())) return { outcome: 'more' }
    const problem = await storeChunk(deps, source, target, searchType, chunk)
    if (problem) return { outcome: 'stopped', problem }
    if (chunk === chunks.at(-1)) break
    await deps.store.advanceFresh(target.propertyId, searchType, { through: chunk.to, final: earlier(chunk.to, finalThrough) })
  }
  await noteStored(deps, target, searchType, { through: today, final: finalThrough, factsChanged: chunks.length > 0 })
  return { outcome: 'done' }
}

const isCaughtUp = ({ caughtUpAt }: TypeCoverage, now: Date): boolean =>
  caughtUpAt !== null && Math.abs(now.getTime() - caughtUpAt.getTime()) < catchUpAgainMs

/** Fetches the search appearances of days that an earlier version stored without: a few requests, however many days. */
async function syncAppearances(
  deps: SyncDeps,
  source: GoogleSource,
  what: { target: SyncTarget; coverage: TypeCoverage; backfillTo: IsoDate },
  mayGoOn: () => Promise<boolean>,
): Promise<SyncOutcome> {
  const { propertyId } = what.target
  const { searchType, appearancesDue, backfilledFrom, fetchedThrough } = what.coverage
  if (!appearancesDue || backfilledFrom === null || fetchedThrough === null) return { outcome: 'done' }
  if (!(await mayGoOn())) return { outcome: 'more' }
  // Google no longer has older days: nothing is known about them.
  const chunk = { from: later(backfilledFrom, what.backfillTo), to: fetchedThrough }
  const load = await deps.facts.beginLoad(propertyId, searchType)
  const answer = await fetchChunk(source, load, { chunk, searchType, grains: ['search_appearance'] })
  if (!answer.ok) return { outcome: 'stopped', problem: answer.problem }
  await deps.store.appearancesStored(propertyId, searchType)
  return { outcome: 'done' }
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
    await deps.priorities.take(target, rankOf(chunk, today, target.selected))
    if (!(await mayGoOn())) return { outcome: 'more' }
    let final: IsoDate | undefined
    if (coverage.backfilledFrom === null) {
      const seen = await lookForRevisions(source, deps.facts, { propertyId: target.propertyId, searchType, coverage, today })
      if (!seen.ok) return { outcome: 'stopped', problem: seen.problem }
      final = seen.value.finalThrough
    }
    const backfill = await deps.backfills.take(target.propertyId, searchType, { chunk, backfillTo: coverage.backfillTo })
    const answer = await fetchChunk(source, backfill.load, { chunk, searchType, backfill })
    if (!answer.ok) return { outcome: 'stopped', problem: answer.problem }
    deps.backfills.giveBack(backfill, chunk)
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
  // Anything complete before Google's first days came from imports.
  const known = edges.from ? null : target.finalThrough
  if (searchType !== 'web' || !final || (known && final <= known)) return
  const from = known ? addDays(known, 1) : earlier(final, edges.from ?? final)
  target.finalThrough = final
  await deps.events.emit('daysCompleted', { propertyId: target.propertyId, from, through: final })
}

const probeIsDue = (target: SyncTarget, now: Date): boolean =>
  target.typesProbedAt === null || now.getTime() - target.typesProbedAt.getTime() > probeAgainDays * 86_400_000

/**
 * Checks which other search types the property has figures for, and adds those to the sync. With days from files, Google's begin with its
 * first figures in each type, web search included: it answers for days before it knew a site as for quiet ones, which would replace files'.
 */
async function probeTypes(deps: SyncDeps, source: GoogleSource, target: SyncTarget, days: Chunk): Promise<GoogleProblem | null> {
  const { propertyId, hasImports } = target
  const probed = searchTypes.filter((searchType) => hasImports || searchType !== 'web')
  const query = { dimensions: ['date'], startDate: days.from, endDate: days.to, startRow: 0 } as const
  const answers = await Promise.all(probed.map(async (searchType) => ({ searchType, answer: await source.rows({ ...query, searchType }) })))
  for (const { searchType, answer } of answers) {
    if (!answer.ok) return answer.problem
    const [first] = answer.value.rows.flatMap(({ keys }) => keys).toSorted()
    if (hasImports && (first || searchType === 'web')) await deps.store.reachBack(propertyId, searchType, first ?? days.to)
    else if (first) await deps.store.ensureType(propertyId, searchType, days.from)
  }
  await deps.store.typesProbed(target.propertyId, deps.clock.now())
  return null
}

type Revisions = {
  /** Last day that Google declared complete. */
  finalThrough: IsoDate
  /** Days stored as final whose totals have changed; oldest first. */
  revisedDays: IsoDate[]
}

/** Final data is two to three days late (docs/google-api.md): the assumption if Google names no day. */
const usualDelayDays = 3

/** One small request that shows the last complete day, and which days that were already final have changed after all. */
async function lookForRevisions(
  source: GoogleSource,
  facts: FactsStore,
  what: { propertyId: number; searchType: SearchType; coverage: Coverage; today: IsoDate },
): Promise<GoogleResult<Revisions>> {
  const { coverage, today, searchType } = what
  const known = coverage.finalThrough
  // Google no longer has older days: what is stored of them stays.
  const start = later(notBegun(today).backfillTo, addDays(earlier(known ?? today, today), -recheckDays))
  const answer = await source.rows({ searchType, dimensions: ['date'], startDate: start, endDate: today, startRow: 0 })
  if (!answer.ok) return answer

  const firstIncomplete = answer.value.metadata?.firstIncompleteDate
  const finalThrough = earlier(addDays(today, -1), firstIncomplete ? addDays(firstIncomplete, -1) : addDays(today, -usualDelayDays))
  if (known === null || coverage.backfilledFrom === null) return { ok: true, value: { finalThrough, revisedDays: [] } }

  const from = later(start, coverage.backfilledFrom)
  const now = new Map(answer.value.rows.map((row) => [row.keys[0] ?? '', row]))
  const stored = await facts.ask(dailyTotals, { property: what.propertyId, searchType, start: from, end: known })
  const before = new Map(stored.map((day) => [day.date, day]))
  const revisedDays = eachDay(from, known).filter((day) => !isSame(before.get(day), now.get(day)))
  return { ok: true, value: { finalThrough, revisedDays } }
}

/** Whether Google's day equals the stored one; a day absent on one side is empty. */
function isSame(stored: DailyTotal | undefined, given: AnalyticsRow | undefined): boolean {
  if ((stored?.clicks ?? 0) !== (given?.clicks ?? 0) || (stored?.impressions ?? 0) !== (given?.impressions ?? 0)) return false
  const positionSum = (given?.position ?? 0) * (given?.impressions ?? 0)
  return Math.abs((stored?.positionSum ?? 0) - positionSum) <= positionSum * 1e-9
}
