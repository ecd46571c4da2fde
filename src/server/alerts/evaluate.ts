import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EvaluateAnswer } from '../../contract/alerts/alerts.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'
import { Refusal } from '../common/errors.ts'
import type { HolidayCountries } from '../common/holiday-countries.ts'
import { rowsOf } from '../facts/row-counts.ts'
import { mostRanked } from '../facts/questions/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { ClickHouseUnavailable, TooMuchAtOnce } from '../platform/clickhouse/clickhouse-errors.ts'
import type { Clock } from '../platform/clock.ts'
import { createFairShare } from '../platform/fair-share.ts'
import type { Log } from '../platform/log.ts'
import { abandonedNow, partOfThis, runAs } from '../platform/tenant.ts'
import { createRoom, evaluateTasks, turnsOf } from './ask-figures.ts'
import type { Baselines } from './unusual/baselines.ts'
import { createCauses } from './why/causes.ts'
import type { ConditionRow, ConditionsStore } from './rules/conditions-store.ts'
import type { EvaluationStore } from './evaluation-store.ts'
import type { RuleScopes } from './rules/scopes.ts'
import { sortOut } from './rules/sort-out.ts'
import { leftOutOf, totalOf } from './left-out.ts'
import { createDetails } from './why/add-details.ts'
import type { PropertyLocks } from './locks.ts'
import { failedOutcome, hasChanges, isCovered, type PropertyResults, outcomeOf } from './outcome.ts'
import type { Outcome } from './outcome-writes.ts'
import { type Evaluated, readyTasks } from './tasks.ts'
import { allOf, createQuestionTime, createRests, isNoFault, type QuestionTime, tooSlow, withinTime } from './question-time.ts'
import { evaluateUnusual, sitesOf } from './unusual/unusual.ts'

export type EvaluationDeps = {
  store: EvaluationStore
  conditions: ConditionsStore
  scopes: RuleScopes
  baselines: Baselines
  facts: FactsStore
  countries: HolidayCountries
  locks: PropertyLocks
  clock: Clock
  log: Log
}

/** How many properties share one question: few enough that nobody waits long for the work on its answer. */
const batchSize = 50
/**
 * Maximum number of characters of names in memory at once: with their figures, some tens of megabytes. Properties with more are evaluated
 * alone.
 */
const mostHeld = 5_000_000
/** Maximum number of stored rows that a question reads, some seconds' worth: nobody's rules share the time of a property with more. */
const mostRows = 20_000_000
/**
 * How long a batch of several accounts may take, and then each of them alone. Whoever needs longer is evaluated after everybody else, within
 * its own limits; by hand, one property at a time, each within the last of these, which is longer than a question may take.
 */
const [togetherMs, shareMs, aloneMs] = [60_000, 10_000, 30_000]
/** Manual evaluations run one batch at a time, with people taking turns; the other slot is for due work. */
const byHand = { places: 1, perTenant: 1, waitingPerTenant: 10, isScarce: true }

export function createEvaluation(deps: EvaluationDeps) {
  const { store, facts, clock, log } = deps
  const addDetails = createDetails(deps)
  const groupByCause = createCauses(facts)
  const rests = createRests()

  /** Evaluates some properties, and stores the results of each as soon as they are known. */
  async function evaluateBatch(ids: readonly number[], run: Run): Promise<EvaluateAnswer> {
    if (ids.length === 0) return totalOf([])
    await deps.conditions.ensureDefaults(ids, defaultConditions, clock.now())
    const byId = new Map((await store.properties(ids)).map((property) => [property.id, property]))
    const found = ids.flatMap((id) => byId.get(id) ?? [])
    const awake = found.filter((property) => isAwake(property, run))
    const stored: Stored = { answers: [], errors: [] }
    const isOfOne = new Set(awake.map(({ userId }) => userId)).size <= 1
    if (run.which === 'all') {
      const left = await evaluateWithin(ids.length === 1 ? aloneMs : shareMs, awake, run, stored)
      const late = found.filter((property) => left.includes(property) || !awake.includes(property))
      if (ids.length > 1) run.late.push(...late.map(({ id }) => [id]))
      else run.isCut ||= late.length > 0
    } else if (isOfOne && run.isLast) await evaluateWithin(null, awake, run, stored)
    else {
      const left = isOfOne ? awake : await evaluateWithin(togetherMs, awake, run, stored)
      for (const own of Map.groupBy(left, ({ userId }) => userId).values()) {
        const late = own.some(run.time.isUsedUp) ? own : await evaluateWithin(shareMs, own, run, stored)
        if (late.length > 0) run.late.push(late.map(({ id }) => id))
      }
    }
    if (stored.errors.length > 0) throw stored.errors[0]
    return totalOf(stored.answers)
  }

  /** An account that this evaluation began with goes on until its time is used up. */
  const isAwake = (property: Evaluated, { which, time, isLast }: Run): boolean =>
    which === 'all' || isLast || time.hasAsked(property) ? !time.isUsedUp(property) : !rests.isResting(property.userId)

  /** Evaluates properties until a time limit, if any; returns those that are left. What is finished is stored in any case. */
  async function evaluateWithin(ms: number | null, of: readonly Evaluated[], run: Run, stored: Stored): Promise<Evaluated[]> {
    const now = clock.now()
    const left = new Set(of)
    const unchanged: Evaluated[] = []
    const work = async (): Promise<void> => {
      for await (const outcome of outcomesOf(of, { ...run, now })) {
        left.delete(outcome.property)
        if (!hasChanges(outcome)) {
          unchanged.push(outcome.property)
          stored.answers.push({ count: 0, leftOut: leftOutOf(outcome) })
          continue
        }
        try {
          stored.answers.push(await storing(() => store.apply(outcome, now)))
        } catch (error) {
          log.error({ err: error, property: outcome.property.name }, 'evaluation results could not be stored')
          stored.errors.push(error)
        }
      }
    }
    // Whatever happens to them, such as a kill, others come first next time.
    await store.tried(of, now)
    try {
      await (ms === null ? work() : withinTime(ms, work))
    } finally {
      await storing(() => store.evaluated(unchanged, now))
    }
    return [...left]
  }

  /**
   * The outcome of each property, one after the other. If they can't be evaluated together, each half is evaluated by itself, so that none
   * keeps the others from being evaluated.
   * @throws errors that aren't any rule's fault, such as an unavailable store: everything is evaluated again when it is back
   */
  async function* outcomesOf(properties: readonly Evaluated[], looking: Looking): AsyncGenerator<Outcome> {
    const { which, now, time } = looking
    const [first] = properties
    if (!first) return
    const results = await evaluateTogether(properties, looking).catch((error: unknown) => ({ error }))
    if (!('error' in results)) {
      for (const property of properties) {
        await nextTurn()
        yield await concluded(results.of(property)).catch((error: unknown) => givenUp(property, error))
      }
    } else if (properties.length === 1 || abandonedNow()?.aborted) {
      yield await givenUp(first, results.error)
    } else {
      const half = properties.length >> 1
      yield* outcomesOf(properties.slice(0, half), looking)
      yield* outcomesOf(properties.slice(half), looking)
    }

    async function concluded(about: PropertyResults): Promise<Outcome> {
      return addDetails(await groupByCause(outcomeOf(about, now, log), time), time)
    }

    async function givenUp(property: Evaluated, error: unknown): Promise<Outcome> {
      if (isNoFault(error)) throw error
      log.error({ err: error, property: property.name }, 'a property could not be evaluated')
      return failedOutcome(property, await conditionsOf([property.id], which, now), error, now)
    }
  }

  /** Evaluates the rules of some properties together. @throws whatever keeps all of them from being evaluated */
  async function evaluateTogether(properties: readonly Evaluated[], { which, now, time }: Looking) {
    const ids = properties.map(({ id }) => id)
    const [rows, opened, passed] = await allOf([conditionsOf(ids, which, now), store.open(ids), store.passed(ids)])
    const open = Map.groupBy(opened, ({ conditionId }) => conditionId)
    const byId = new Map(properties.map((property) => [property.id, property]))
    const { sound, broken } = await sortOut(rows, byId, deps.scopes, time)
    const rules = sound.flatMap(({ row, rule, scope, property }) => {
      const alerts = (open.get(row.id) ?? []).filter((alert) => isCovered({ rule, scope }, alert))
      return property ? [{ property, rule, scope, withOpenAlerts: alerts.map(({ entityName }) => entityName), alerts }] : []
    })
    const [smart, byWindows] = [rules.filter(({ rule }) => rule.kind === 'unusual'), rules.filter(({ rule }) => rule.kind !== 'unusual')]
    const ended = await store.returned(ids, smart.flatMap(sitesOf))
    const byDays = smart.map((each) => ({
      ...each,
      ended: (ended.get(each.property.id) ?? []).filter(({ ruleId }) => ruleId === each.rule.id),
    }))
    const limits = { room: createRoom(), time }
    const tasked = async () => evaluateTasks(facts, await readyTasks(facts, byWindows), limits)
    // One property's questions are asked two at a time; those of many, one by one, since each answer may be large.
    const [answers, unusual] =
      properties.length === 1
        ? await allOf([tasked(), evaluateUnusual(deps, byDays, limits)])
        : ([await tasked(), await evaluateUnusual(deps, byDays, limits)] as const)
    // The findings of fewer properties may fit.
    if (limits.room.wasTooSmall && properties.length > 1) throw new TooMuchAtOnce()
    const returned = await store.returned(ids, [...answers].flatMap(turnsOf))
    const tasks = Map.groupBy(answers.keys(), ({ property }) => property.id)
    return {
      of(property: Evaluated): PropertyResults {
        const own = <T extends { row: ConditionRow }>(list: readonly T[]) => list.filter(({ row }) => row.propertyId === property.id)
        return {
          property,
          sound: own(sound),
          broken: own(broken),
          open,
          passed: passed.get(property.id) ?? [],
          returned: returned.get(property.id) ?? [],
          tasks: tasks.get(property.id) ?? [],
          answers,
          unusual: unusual.get(property.id) ?? [],
        }
      },
    }
  }

  const conditionsOf = (ids: readonly number[], which: Which, now: Date) => store.conditions(ids, which === 'all' ? 'all' : now)

  /** Groups properties to evaluate together, in order. */
  async function batchesOf(ids: readonly number[]): Promise<number[][]> {
    if (ids.length <= 1) return ids.length === 0 ? [] : [[...ids]]
    const [letters, rows] = await Promise.all([store.lettersOf(ids, mostRanked), facts.ask(rowsOf, ids)])
    const batches: number[][] = []
    let held = 0
    for (const id of ids) {
      const own = Math.max((letters.get(id) ?? 0) / mostHeld, (rows.get(id) ?? 0) / mostRows)
      const last = batches.at(-1)
      const fits = last && held + own <= 1
      if (fits) last.push(id)
      else batches.push([id])
      held = fits ? held + own : own
    }
    return batches
  }

  /** Batches in order; accounts that need longer than their share come last, each alone. */
  async function* batchesIn(ids: readonly number[], run: Run): AsyncGenerator<readonly number[]> {
    for (let from = 0; from < ids.length; from += batchSize) yield* await batchesOf(ids.slice(from, from + batchSize))
    // The time that they took so far led to nothing.
    run.time = createQuestionTime()
    run.isLast = true
    yield* run.late
  }

  async function evaluate(ids: readonly number[], { which, turn, signal }: EvaluationRun): Promise<EvaluateAnswer> {
    const answers: EvaluateAnswer[] = []
    const errors: unknown[] = []
    const run: Run = { which, time: createQuestionTime(), late: [], isLast: false, isCut: false }
    let unanswered = 0
    for await (const batch of batchesIn(ids, run)) {
      // The job's time is up or the server is stopping: what is left stays due.
      if (signal?.aborted) break
      try {
        answers.push(await turn(() => locked(batch, which, (some) => evaluateBatch(some, run))))
        unanswered = 0
      } catch (error) {
        if (signal?.aborted) break
        unanswered = error instanceof ClickHouseUnavailable ? unanswered + 1 : 0
        // A failure for one person must not keep the properties of others from being evaluated; an outage affects everybody.
        if (which === 'all' || unanswered > 1) throw error
        errors.push(error)
      } finally {
        rests.note(run.time)
      }
    }
    if (errors.length > 0) throw errors[0]
    if (run.isCut) throw new Refusal(409, tooSlow)
    return totalOf(answers)
  }

  /** What is due, unless another process is evaluating it, or has done so in the meantime. */
  function locked(
    batch: readonly number[],
    which: Which,
    work: (ids: readonly number[]) => Promise<EvaluateAnswer>,
  ): Promise<EvaluateAnswer> {
    if (which === 'all') return deps.locks.all(batch, () => work(batch))
    return deps.locks.free(batch, async (ids) => {
      const due = new Set(await store.due(clock.now(), ids))
      return work(ids.filter((id) => due.has(id)))
    })
  }

  const turns = createFairShare(byHand)

  return {
    /**
     * Evaluates every rule of these properties of a person on their complete days, in turns of limited time.
     * @throws TooManyRequests, Refusal 409 if their rules take too long, or did so lately; what was finished is stored
     */
    async evaluate(userId: string, ids: readonly number[]): Promise<EvaluateAnswer> {
      if (rests.isResting(userId)) throw new Refusal(409, tooSlow)
      return evaluate(ids, { which: 'all', turn: (work) => turns.run(userId, work, { signal: abandonedNow() }) })
    },
    /** Evaluates whatever changed since its last evaluation, until `signal` is aborted: that also ends what is under way. */
    evaluateDue: async (signal?: AbortSignal): Promise<EvaluateAnswer> =>
      evaluate(await store.due(clock.now()), { which: 'due', turn: (work) => runAs(partOfThis(signal), work), signal }),
  }
}

/** With `all`, rules waiting for a retry are evaluated too. */
type Which = 'due' | 'all'
type Looking = { which: Which; now: Date; time: QuestionTime }
/** `late`: properties of accounts that need longer than their share, which are evaluated last; `isCut`: some take too long even then. */
type Run = { which: Which; time: QuestionTime; late: number[][]; isLast: boolean; isCut: boolean }
type Stored = { answers: EvaluateAnswer[]; errors: unknown[] }
type EvaluationRun = { which: Which; turn: <T>(work: () => Promise<T>) => Promise<T>; signal?: AbortSignal | undefined }

/** Runs what is to be done even if the work that it is part of is abandoned. */
const storing = <T>(work: () => Promise<T>): Promise<T> => runAs(partOfThis(), work)
