import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EvaluateAnswer } from '../../contract/alerts/alerts.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'
import { ruleOf } from '../../core/alerting/options.ts'
import { mostRanked } from '../facts/questions/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { ClickHouseUnavailable } from '../platform/clickhouse/clickhouse-errors.ts'
import type { Clock } from '../platform/clock.ts'
import { createFairShare } from '../platform/fair-share.ts'
import type { Log } from '../platform/log.ts'
import { abandonedNow } from '../platform/tenant.ts'
import { askFigures } from './ask-figures.ts'
import type { Baselines } from './unusual/baselines.ts'
import { createCauses } from './why/causes.ts'
import { soundCondition } from './rules/conditions.ts'
import type { ConditionRow, ConditionsStore } from './rules/conditions-store.ts'
import type { EvaluationStore } from './evaluation-store.ts'
import { leftOutOf } from './left-out.ts'
import { createIllustration } from './why/illustrate.ts'
import type { PropertyLock } from './locks.ts'
import { type Broken, hasChanges, isCovered, outcomeOf, type Sound } from './outcome.ts'
import type { Outcome } from './outcome-writes.ts'
import { readyTasks } from './tasks.ts'
import { judgeUnusual } from './unusual/unusual.ts'

export type EvaluationDeps = {
  store: EvaluationStore
  conditions: ConditionsStore
  baselines: Baselines
  facts: FactsStore
  lock: PropertyLock
  clock: Clock
  log: Log
}

/** How many properties share one question: few enough that nobody waits long for the work on its answer. */
const batchSize = 50
/** How many entities are in memory at once: some tens of megabytes. Properties with more are evaluated alone. */
const mostHeld = 50_000
/** Manual evaluations run one batch at a time, people taking turns; the other place is for due work. */
const byHand = { places: 1, perTenant: 1, waitingPerTenant: 10 }

export function createEvaluation(deps: EvaluationDeps) {
  const { store, facts, clock, log } = deps
  const illustrate = createIllustration(facts)
  const groupByCause = createCauses(facts)

  /** @param which with `all`, rules waiting for a retry are evaluated too */
  async function evaluateBatch(ids: readonly number[], which: 'due' | 'all'): Promise<EvaluateAnswer> {
    const now = clock.now()
    await deps.conditions.ensureDefaults(ids, defaultConditions, now)
    const properties = await store.properties(ids)
    const rows = await store.conditions(ids, which === 'all' ? 'all' : now)
    const open = Map.groupBy(await store.open(ids), ({ conditionId }) => conditionId)
    const passed = await store.passed(ids)
    const { sound, broken } = sortOut(rows)
    const byId = new Map(properties.map((property) => [property.id, property]))
    const wanted = sound.flatMap(({ row, rule }) => {
      const property = byId.get(row.propertyId)
      const alerts = (open.get(row.id) ?? []).filter((alert) => isCovered(rule, alert))
      return property ? [{ property, rule, watched: alerts.map(({ entityName }) => entityName), alerts }] : []
    })
    const [byDays, byWindows] = [wanted.filter(({ rule }) => rule.kind === 'unusual'), wanted.filter(({ rule }) => rule.kind !== 'unusual')]
    const answers = await askFigures(facts, await readyTasks(facts, byWindows))
    const unusual = await judgeUnusual({ facts, baselines: deps.baselines }, byDays)
    const tasks = Map.groupBy(answers.keys(), ({ property }) => property.id)
    const outcomes: Outcome[] = []
    for (const property of properties) {
      await nextTurn()
      const of = <T extends { row: ConditionRow }>(list: readonly T[]) => list.filter(({ row }) => row.propertyId === property.id)
      const about = {
        property,
        sound: of(sound),
        broken: of(broken),
        open,
        passed: passed.get(property.id) ?? [],
        tasks: tasks.get(property.id) ?? [],
        answers,
        unusual: unusual.get(property.id) ?? [],
      }
      outcomes.push(await groupByCause(outcomeOf(about, now, log)))
    }
    return applyAll(await illustrate(outcomes), now)
  }

  async function applyAll(outcomes: readonly Outcome[], now: Date): Promise<EvaluateAnswer> {
    const unchanged = outcomes.filter((outcome) => !hasChanges(outcome))
    await store.judged(
      unchanged.map(({ property }) => property),
      now,
    )
    const answers = unchanged.map((outcome): EvaluateAnswer => ({ count: 0, leftOut: leftOutOf(outcome) }))
    const errors: unknown[] = []
    for (const outcome of outcomes.filter(hasChanges)) {
      try {
        answers.push(await store.apply(outcome, now))
      } catch (error) {
        log.error({ err: error, property: outcome.property.name }, 'what an evaluation found could not be stored')
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
    return totalOf(answers)
  }

  /** Groups properties to evaluate together, in order. */
  async function batchesOf(ids: readonly number[]): Promise<number[][]> {
    const entities = await store.entitiesOf(ids, mostRanked)
    const batches: number[][] = []
    let held = 0
    for (const id of ids) {
      const own = entities.get(id) ?? 0
      const last = batches.at(-1)
      const fits = last && held + own <= mostHeld
      if (fits) last.push(id)
      else batches.push([id])
      held = fits ? held + own : own
    }
    return batches
  }

  async function evaluate(ids: readonly number[], which: 'due' | 'all', turn: Turn): Promise<EvaluateAnswer> {
    const answers: EvaluateAnswer[] = []
    const errors: unknown[] = []
    for (let from = 0; from < ids.length; from += batchSize) {
      for (const batch of await batchesOf(ids.slice(from, from + batchSize))) {
        try {
          answers.push(await turn(() => deps.lock(batch, () => evaluateBatch(batch, which))))
        } catch (error) {
          // A failure for one person must not keep the properties of others from being evaluated.
          if (which === 'all' || error instanceof ClickHouseUnavailable) throw error
          errors.push(error)
        }
      }
    }
    if (errors.length > 0) throw errors[0]
    return totalOf(answers)
  }

  const turns = createFairShare(byHand)

  return {
    /** Evaluates every rule of these properties of a person on their complete days. @throws TooManyWishes */
    evaluate: (userId: string, ids: readonly number[]): Promise<EvaluateAnswer> =>
      evaluate(ids, 'all', (work) => turns.run(userId, work, { signal: abandonedNow() })),
    /** Evaluates whatever changed since its last evaluation. */
    evaluateDue: async (): Promise<EvaluateAnswer> => evaluate(await store.due(clock.now()), 'due', (work) => work()),
  }
}

type Turn = <T>(work: () => Promise<T>) => Promise<T>

const totalOf = (answers: readonly EvaluateAnswer[]): EvaluateAnswer => ({
  count: answers.reduce((sum, { count }) => sum + count, 0),
  leftOut: answers.reduce((sum, { leftOut }) => sum + leftOut, 0),
})

function sortOut(rows: readonly ConditionRow[]): { sound: Sound[]; broken: Broken[] } {
  const sound: Sound[] = []
  const broken: Broken[] = []
  for (const row of rows) {
    try {
      const condition = soundCondition(row)
      sound.push({ row, condition, rule: ruleOf(String(row.id), condition) })
    } catch (error) {
      broken.push({ row, error })
    }
  }
  return { sound, broken }
}
