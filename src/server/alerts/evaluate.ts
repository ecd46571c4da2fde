import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EvaluateAnswer } from '../../contract/alerts.ts'
import { mostLasting, mostMovedOf } from '../../core/alerting/bounds.ts'
import { type Condition, defaultConditions } from '../../core/alerting/defaults.ts'
import type { Finding } from '../../core/alerting/evaluate.ts'
import { type OpenAlert, transitions, type Verdict } from '../../core/alerting/lifecycle.ts'
import { muteUnderSite } from '../../core/alerting/muting.ts'
import { ruleOf } from '../../core/alerting/options.ts'
import { entityKindOf, type Rule } from '../../core/alerting/rule.ts'
import { findingsOf, judgeRules, type RuleVerdicts } from '../../core/alerting/run.ts'
import { mostRanked } from '../facts/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { ClickHouseUnavailable } from '../platform/clickhouse-errors.ts'
import type { Clock } from '../platform/clock.ts'
import { createFairShare } from '../platform/fair-share.ts'
import type { Log } from '../platform/log.ts'
import { abandonedNow } from '../platform/tenant.ts'
import { type Answers, askFigures } from './ask-figures.ts'
import { soundCondition } from './conditions.ts'
import type { ConditionRow, ConditionsStore } from './conditions-store.ts'
import type { EvaluationStore, OpenRow, Outcome } from './evaluation-store.ts'
import { leftOutOf } from './left-out.ts'
import { createIllustration } from './illustrate.ts'
import type { PropertyLock } from './locks.ts'
import { type Evaluated, readyTasks, type Task } from './tasks.ts'

export type EvaluationDeps = {
  store: EvaluationStore
  conditions: ConditionsStore
  facts: FactsStore
  lock: PropertyLock
  clock: Clock
  log: Log
}

/** Properties whose facts are asked for together: few enough that nobody waits for what is done with the answer. */
const batchSize = 50
/** Entities whose figures are held at once: some tens of megabytes. Properties with more than that are judged alone. */
const mostHeld = 50_000
/** Of what somebody asks for by hand, one batch at a time, people by turns: the other place is for what is due. */
const byHand = { places: 1, perTenant: 1, waitingPerTenant: 10 }
/** Parts of a change that are kept with its alert. */
const mostContributors = 100
const quarterHourMs = 15 * 60_000
const dayMs = 24 * 3_600_000

type Sound = { row: ConditionRow; condition: Condition; rule: Rule }
type Broken = { row: ConditionRow; error: unknown }

export function createEvaluation(deps: EvaluationDeps) {
  const { store, facts, clock, log } = deps
  const illustrate = createIllustration(facts)

  /** @param which rules that were pushed back are judged too with `all` */
  async function evaluateBatch(ids: readonly number[], which: 'due' | 'all'): Promise<EvaluateAnswer> {
    const now = clock.now()
    await deps.conditions.ensureDefaults(ids, defaultConditions, now)
    const properties = await store.properties(ids)
    const rows = await store.conditions(ids, which === 'all' ? 'all' : now)
    const open = Map.groupBy(await store.open(ids), ({ conditionId }) => conditionId)
    const { sound, broken } = sortOut(rows)
    const byId = new Map(properties.map((property) => [property.id, property]))
    const wanted = sound.flatMap(({ row, rule }) => {
      const property = byId.get(row.propertyId)
      const watched = (open.get(row.id) ?? []).filter((alert) => isCovered(rule, alert)).map(({ entityName }) => entityName)
      return property ? [{ property, rule, watched }] : []
    })
    const answers = await askFigures(facts, await readyTasks(facts, wanted))
    const tasks = Map.groupBy(answers.keys(), ({ property }) => property.id)
    const outcomes: Outcome[] = []
    for (const property of properties) {
      await nextTurn()
      const of = <T extends { row: ConditionRow }>(list: readonly T[]) => list.filter(({ row }) => row.propertyId === property.id)
      const about = { property, sound: of(sound), broken: of(broken), open, tasks: tasks.get(property.id) ?? [], answers }
      outcomes.push(outcomeOf(about, now, log))
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

  /** Properties that are judged together, in their order. */
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
          // One person's trouble does not keep the properties of others from being judged.
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
    /** Judges every rule of these properties of a person by their complete days. @throws TooManyWishes */
    evaluate: (userId: string, ids: readonly number[]): Promise<EvaluateAnswer> =>
      evaluate(ids, 'all', (work) => turns.run(userId, work, { signal: abandonedNow() })),
    /** Judges what has changed since it was last judged. */
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

type Of = {
  property: Evaluated
  sound: readonly Sound[]
  broken: readonly Broken[]
  open: ReadonlyMap<number | null, OpenRow[]>
  tasks: readonly Task[]
  answers: Answers
}

/** What follows for one property: pure but for the log. */
function outcomeOf({ property, sound, broken, open, tasks, answers }: Of, now: Date, log: Log): Outcome {
  const failures = broken.map(({ row, error }) => ({ conditionId: row.id, error }))
  const runs: RuleVerdicts[] = []
  for (const task of tasks) {
    try {
      const entities = answers.get(task)
      if (!entities || 'error' in entities) throw entities?.error
      runs.push(...judgeRules([{ rule: task.rule, windows: task.windows, entities }], task.completeDays))
    } catch (error) {
      failures.push({ conditionId: Number(task.rule.id), error })
    }
  }
  for (const { conditionId, error } of failures)
    log.warn({ err: error, property: property.name, conditionId }, 'a rule could not be judged')

  const rules = new Map(sound.map((each) => [each.row.id, each]))
  const alerts = sound.flatMap(({ row }) => open.get(row.id) ?? [])
  const covered = alerts.filter((alert) => isCovered(rules.get(alert.conditionId ?? 0)?.rule, alert))
  const groups = new Map(muteUnderSite(findingsOf(runs)).map((group) => [group.finding, group.contributors]))
  const steps = transitions(covered.flatMap(openAlertOf), told(runs, groups, covered), property.through)
  const contributorsOf = (finding: Finding) => mostMovedOf(groups.get(finding) ?? [], mostContributors).map(contributorOf)

  const ended = new Set(steps.flatMap((step) => (step.to === 'recovered' ? [step.alertId] : [])))
  const lasting = Map.groupBy(
    covered.filter(({ id }) => !ended.has(String(id))),
    ({ conditionId }) => String(conditionId),
  )
  const found = Map.groupBy(
    steps.flatMap((step) => (step.to === 'firing' ? [step.finding] : [])),
    ({ ruleId }) => ruleId,
  )
  const leftOut = runs.flatMap(({ ruleId, ...run }) => {
    if ('waiting' in run) return []
    const all = found.get(ruleId) ?? []
    const kept = mostMovedOf(all, mostLasting - (lasting.get(ruleId)?.length ?? 0))
    found.set(ruleId, [...kept])
    const conditionId = Number(ruleId)
    return [{ conditionId, count: all.length - kept.length, before: rules.get(conditionId)?.row.leftOut ?? 0 }]
  })
  const findings = [...found.values()].flat()
  // What hours opened, the days find again: it is one thing. While it is preliminary they leave it alone.
  const byHours = new Map(covered.filter(({ basis }) => basis === 'hours').map((alert) => [String(alert.conditionId), alert]))

  const failed = new Map(failures.map((failure) => [failure.conditionId, failure]))
  const had = [...rules.values()].filter(({ row }) => row.problem !== null && !failed.has(row.id))
  return {
    property,
    opened: findings.flatMap((finding) => {
      const condition = byHours.has(finding.ruleId) ? undefined : rules.get(Number(finding.ruleId))?.condition
      return condition ? [{ condition, finding, contributors: contributorsOf(finding), series: [] }] : []
    }),
    adopted: findings.flatMap((finding) => {
      const alert = byHours.get(finding.ruleId)
      return alert?.hours?.status === 'confirmed' ? [{ alertId: alert.id, finding, contributors: contributorsOf(finding), series: [] }] : []
    }),
    same: steps.flatMap((step) =>
      step.to === 'same'
        ? [{ alertId: Number(step.alertId), finding: step.finding, contributors: contributorsOf(step.finding), series: [] }]
        : [],
    ),
    ended: [
      ...steps.flatMap((step) => (step.to === 'recovered' ? [{ alertId: Number(step.alertId), reason: reasonOf(step) }] : [])),
      ...alerts.filter((alert) => !covered.includes(alert)).map(({ id }) => ({ alertId: id, reason: 'rule_changed' })),
    ],
    broken: failures.map(({ conditionId, error }) => problemOf(conditionId, error, rules.get(conditionId)?.row ?? null, now)),
    mended: had.map(({ row }) => row.id),
    leftOut,
  }

  /** By the same days as before, and yet not: Google has revised them, unless it is the rule that is another one. */
  function reasonOf({ alertId, reason }: { alertId: string; reason: string }): string {
    const alert = covered.find(({ id }) => String(id) === alertId)
    const rule = rules.get(alert?.conditionId ?? 0)
    return reason === 'revised' && alert && rule && rule.row.changedAt > alert.judgedAt ? 'rule_changed' : reason
  }
}

/** What is to be told: findings that stand alone, those of alerts that last, and that there is nothing any more. */
function told(runs: readonly RuleVerdicts[], groups: ReadonlyMap<Finding, unknown>, open: readonly OpenRow[]): Verdict[] {
  const lasting = new Set(open.map((alert) => JSON.stringify([String(alert.conditionId), alert.entityName])))
  return runs
    .flatMap((run) => ('verdicts' in run ? run.verdicts : []))
    .filter(({ finding, ruleId, entity }) => finding === null || groups.has(finding) || lasting.has(JSON.stringify([ruleId, entity.name])))
}

const contributorOf = ({ entity, previous, current, change }: Finding) => ({
  entity: { kind: entity.kind === 'page' ? ('page' as const) : ('query' as const), name: entity.name },
  previous,
  current,
  change,
})

/** Whether a rule, changed since perhaps, is still about the entity of an alert of its. */
function isCovered(rule: Rule | undefined, { entityKind, entityName }: OpenRow): boolean {
  if (!rule || entityKindOf(rule) !== entityKind) return false
  return (rule.monitor !== 'pages' && rule.monitor !== 'queries') || rule.targets.includes(entityName)
}

function openAlertOf(row: OpenRow): OpenAlert[] {
  const { opening, figures, entityKind: kind, judgedThrough, state, conditionId } = row
  if (row.basis === 'hours' || !opening || !figures || judgedThrough === null || kind === 'connection' || state === 'recovered') return []
  const entity = { kind, name: row.entityName }
  const finding = { ruleId: String(conditionId), entity, metric: row.type, severity: row.severity, ...opening }
  return [{ id: String(row.id), ruleId: String(conditionId), entity, state, finding, latest: figures, judgedThrough }]
}

/** In words for the rule's owner; tried again ever more rarely, at least once a day. */
function problemOf(conditionId: number, error: unknown, row: ConditionRow | null, now: Date): Outcome['broken'][number] {
  const isRule = row === null
  const since = row?.problemSince ?? now
  const wait = Math.min(Math.max(now.getTime() - since.getTime(), quarterHourMs), dayMs)
  const problem = isRule
    ? `This rule could not be checked: ${error instanceof Error ? error.message : 'it is invalid'}. Save it again or delete it.`
    : "This rule could not be checked because its data could not be read. We'll try again automatically."
  return { conditionId, problem, retryAt: new Date(now.getTime() + wait) }
}

const hasChanges = ({ opened, same, adopted, ended, broken, mended, leftOut }: Outcome): boolean =>
  opened.length + same.length + adopted.length + ended.length + broken.length + mended.length > 0 ||
  leftOut.some(({ count, before }) => count !== before)
