import { mostLasting, mostMovedOf, storedPartsOf } from '../../core/alerting/bounds.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { Condition } from '../../core/alerting/defaults.ts'
import type { Finding } from '../../core/alerting/evaluate.ts'
import { isSameDirection } from '../../core/alerting/figures.ts'
import { transitions, type Verdict } from '../../core/alerting/lifecycle.ts'
import { type Covered, type Earlier, isAftermath, muteUnderSite, withoutReturns } from '../../core/alerting/muting.ts'
import { type Entity, entityKindsOf, type Rule } from '../../core/alerting/rule.ts'
import { findingsOf, type RuleVerdicts } from '../../core/alerting/run.ts'
import { mergeSameThing, othersFinding } from '../../core/alerting/same-thing.ts'
import { moreSevere } from '../../core/alerting/severity.ts'
import type { Log } from '../platform/log.ts'
import type { Answers } from './ask-figures.ts'
import type { ConditionRow } from './rules/conditions-store.ts'
import { problemOf } from './rules/rule-problem.ts'
import type { RuleScope } from './rules/scopes.ts'
import {
  changesOf,
  coverageOf,
  earlierOf,
  isFoundByAnotherKind,
  isWaitedFor,
  largestOf,
  lastingOf,
  openAlertOf,
  openingOf,
  type OpenRow,
  passedOf,
  undecidedOf,
  type PassedOfType,
  wideOf,
} from './open-rows.ts'
import type { Outcome } from './outcome-writes.ts'
import type { Evaluated, Task } from './tasks.ts'
import type { EvaluatedUnusual } from './unusual/unusual.ts'

/** `property` as its rule sees it; null if its search type isn't stored. */
export type Sound = { row: ConditionRow; condition: Condition; scope: RuleScope | null; rule: Rule; property: Evaluated | null }
export type Broken = { row: ConditionRow; error: unknown }

/** The results of a property's rules, and what is known about it. */
export type PropertyResults = {
  property: Evaluated
  sound: readonly Sound[]
  broken: readonly Broken[]
  open: ReadonlyMap<number | null, OpenRow[]>
  /** Changes of the whole site that are over. */
  passed: readonly PassedOfType[]
  /** Recovered alerts of rules that find both drops and rises. */
  returned: readonly Earlier[]
  tasks: readonly Task[]
  answers: Answers
  /** The property's smart rules. */
  unusual: readonly EvaluatedUnusual[]
}

/** What follows for one property: pure except for the log. */
export function outcomeOf(
  { property, sound, broken, open, passed, returned, tasks, answers, unusual }: PropertyResults,
  now: Date,
  log: Log,
): Outcome {
  const failures = broken.map(({ row, error }) => ({ conditionId: row.id, error }))
  const rules = new Map(sound.map((each) => [each.row.id, each]))
  const alerts = sound.flatMap(({ row }) => open.get(row.id) ?? [])
  const evaluated: RuleVerdicts[] = []
  for (const task of tasks) {
    const answer = answers.get(task)
    if (answer && !('error' in answer)) evaluated.push(withoutTurns(task.rule, answer))
    else failures.push({ conditionId: Number(task.rule.id), error: answer?.error })
  }
  for (const { ruleId, verdicts, error } of unusual) {
    if (error !== undefined) failures.push({ conditionId: Number(ruleId), error })
    else evaluated.push(verdicts ? { ruleId, verdicts } : { ruleId, waiting: true })
  }
  for (const { conditionId, error } of failures)
    log.warn({ err: error, property: property.name, conditionId }, 'a rule could not be evaluated')

  const covered = alerts.filter((alert) => isCovered(rules.get(alert.conditionId ?? 0), alert))
  const coveredById = new Map(covered.map((alert) => [String(alert.id), alert]))
  const coveredByPlace = new Map(covered.map((alert) => [JSON.stringify([String(alert.conditionId), alert.entityName]), alert]))
  const typeOf = ({ ruleId }: { ruleId: string }): SearchType => rules.get(Number(ruleId))?.rule.searchType ?? 'web'
  const throughOf = ({ ruleId }: { ruleId: string }): IsoDate => rules.get(Number(ruleId))?.property?.through ?? property.through
  const partly = new Map(sound.flatMap(partialOf))
  const runs = mergeSameThing(evaluated, covered.flatMap(lastingOf), partly)
  const othersOf = othersFinding(evaluated, partly)
  const seen = new Set(evaluated.flatMap((run) => ('verdicts' in run ? [Number(run.ruleId)] : [])))
  const wideAlerts = new Map(covered.flatMap(wideOf))
  const wideAlertOf = (finding: Finding) => {
    const { ruleId, entity } = finding
    const row = entity.kind === 'site' ? coveredByPlace.get(JSON.stringify([ruleId, entity.name])) : undefined
    // What a rise covered says nothing about the drop that ends it.
    return row?.figures && isSameDirection(row.figures, finding) ? wideAlerts.get(ruleId) : undefined
  }
  // What happens in one search type explains nothing in another.
  const byType = [...Map.groupBy(findingsOf(runs), typeOf).values()]
  const groups = new Map(byType.flatMap((some) => muteUnderSite(some, wideAlertOf)).map((group) => [group.finding, group.contributors]))
  const lastingAlerts = covered.flatMap((row) => openAlertOf(row, changesOfRules(row)))
  const byDay = Map.groupBy(
    announcedVerdicts(runs, groups, coveredByPlace).filter((verdict) => !isAwaited(verdict)),
    throughOf,
  )
  const steps = [...byDay].flatMap(([through, verdicts]) => transitions(lastingAlerts, verdicts, through))
  const evidenceOf = (finding: Finding, before: readonly Covered[] = []) => {
    const contributors = storedPartsOf(groups.get(finding) ?? []).map(contributorOf)
    return { contributors, covered: coverageOf(finding, before, contributors, throughOf(finding)), series: [] }
  }

  const ended = new Set(steps.flatMap((step) => (step.to === 'recovered' || step.to === 'again' ? [step.alertId] : [])))
  const again = steps.flatMap((step) =>
    step.to === 'again' ? [{ alertId: Number(step.alertId), reason: step.reason, isReplaced: true }] : [],
  )
  const over = steps.flatMap((step) =>
    step.to === 'recovered' || step.to === 'again' ? passedOf(coveredById.get(step.alertId), step.reason) : [],
  )
  const lasting = Map.groupBy(
    covered.filter(({ id }) => !ended.has(String(id))),
    ({ conditionId }) => String(conditionId),
  )
  const passedIn = (type: SearchType) =>
    [...passed, ...over, ...undecidedOf(covered, evaluated)].filter(({ searchType }) => searchType === type)
  const found = Map.groupBy(
    steps.flatMap((step) =>
      (step.to === 'firing' || step.to === 'again') && !isAftermath(step.finding, passedIn(typeOf(step.finding))) ? [step.finding] : [],
    ),
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
  // The daily evaluation also finds what hours opened: it is the same alert, which it leaves alone while it is preliminary.
  const byHours = new Map(covered.filter(({ basis }) => basis === 'hours').map((alert) => [String(alert.conditionId), alert]))

  const parts = Map.groupBy(
    covered.filter(({ id, partOf }) => partOf !== null && !ended.has(String(id))),
    ({ partOf }) => partOf,
  )
  const replaced = alerts.filter(({ id }) => !coveredById.has(String(id))).map(({ id }) => ({ alertId: id, reason: 'rule_changed' }))
  const goes = new Set([...replaced, ...again].map(({ alertId }) => alertId))
  const staysOpen = new Set([...open.values()].flat().flatMap(({ id }) => (goes.has(id) ? [] : [id])))
  const detached = covered.flatMap(({ id, partOf }) => (partOf !== null && !staysOpen.has(partOf) ? [id] : []))

  const failed = new Map(failures.map((failure) => [failure.conditionId, failure]))
  const had = [...rules.values()].filter(({ row }) => row.problem !== null && !failed.has(row.id))
  return {
    property,
    scopes: new Map(sound.flatMap(({ rule, scope }) => (scope ? [[rule.id, { ...scope, through: throughOf({ ruleId: rule.id }) }]] : []))),
    opened: findings.flatMap((finding) => {
      const of = byHours.has(finding.ruleId) ? undefined : rules.get(Number(finding.ruleId))
      const { severity } = finding
      const alsoBy = othersOf(finding).map(Number)
      return of ? [{ condition: of.condition, finding, severity, lead: null, alsoBy, ...evidenceOf(finding) }] : []
    }),
    adopted: findings.flatMap((finding) => {
      const alert = byHours.get(finding.ruleId)
      if (alert?.hours?.status !== 'confirmed' || !isSameDirection(alert.figures, finding)) return []
      const severity = moreSevere(finding.severity, alert.severity)
      return [{ alertId: alert.id, finding: { ...finding, severity }, ...evidenceOf(finding) }]
    }),
    same: steps.flatMap((step) => {
      if (step.to !== 'same') return []
      const { alertId, finding } = step
      return [{ alertId: Number(alertId), finding: lastingFinding(step), ...evidenceOf(finding, coveredById.get(alertId)?.covered) }]
    }),
    lasting: covered.flatMap((row) =>
      ended.has(String(row.id)) ? [] : openingOf(detached.includes(row.id) ? { ...row, partOf: null } : row),
    ),
    alsoBy: covered.flatMap((row) => {
      const others = lastingOf(row).flatMap(othersOf).map(Number)
      const more = others.filter((id) => !row.alsoBy.includes(id))
      return more.length > 0 && !ended.has(String(row.id)) ? [{ alertId: row.id, conditionIds: more }] : []
    }),
    attached: [],
    // The alert they were parts of has ended with its rule, or does so now that its rule is about something else or it has another change.
    detached,
    ended: [
      ...steps.flatMap((step) => {
        // It lasts as long as one of its parts.
        if (step.to !== 'recovered' || parts.has(Number(step.alertId))) return []
        return [{ alertId: Number(step.alertId), reason: step.reason, ...(step.level !== undefined && { level: step.level }) }]
      }),
      ...replaced,
      ...again,
    ],
    onlyParts: steps.flatMap((step) => {
      if (step.to !== 'recovered' || !parts.has(Number(step.alertId)) || coveredById.get(step.alertId)?.ownEnd) return []
      return [{ alertId: Number(step.alertId), reason: step.reason, ...(step.level !== undefined && { level: step.level }) }]
    }),
    broken: failures.map(({ conditionId, error }) => problemOf(conditionId, error, rules.get(conditionId)?.row ?? null, now)),
    mended: had.map(({ row }) => row.id),
    leftOut,
  }

  /** The findings of a rule for drops and rises, without those that are merely the return from its own earlier finding. */
  function withoutTurns(rule: Rule, run: RuleVerdicts): RuleVerdicts {
    if (!('verdicts' in run) || rule.direction !== 'both') return run
    const own = alerts.flatMap((row) => earlierOf(row, rule.id))
    const back = returned.filter(({ ruleId }) => ruleId === rule.id)
    return { ...run, verdicts: withoutReturns(rule, run.verdicts, [...own, ...back]) }
  }

  /** An alert is never milder than reported, nor than its most severe part was. */
  function lastingFinding({ alertId, finding }: { alertId: string; finding: Finding }): Finding {
    const row = coveredById.get(alertId)
    if (!row) return finding
    const isOngoing = isSameDirection(finding, row.figures)
    const largest = finding.entity.kind === 'site' && isOngoing ? largestOf([...changesOf(row), finding.change]) : null
    const since = largest === null ? finding : { ...finding, largest }
    if (!isOngoing && !parts.has(row.id)) return since
    const severity = moreSevere(finding.severity, row.severity)
    // Whether to wake somebody was decided when it was critical; being less so by now doesn't change that.
    const isMilder = severity === 'critical' && finding.severity !== 'critical' && row.figures?.interrupts === false
    return { ...since, severity, ...(isMilder && { interrupts: false }) }
  }

  /** Another rule that found it can't be evaluated now: for some days, its alert doesn't end without that. */
  function isAwaited(verdict: Verdict): boolean {
    const row = verdict.finding ? undefined : coveredByPlace.get(JSON.stringify([verdict.ruleId, verdict.entity.name]))
    return row !== undefined && row.alsoBy.some((id) => !seen.has(id)) && isWaitedFor(row, throughOf(verdict))
  }

  /** Whether a rule that found an alert was changed since: its own, or another one. */
  function changesOfRules(row: OpenRow) {
    const isChanged = (id: number | null) => (rules.get(id ?? 0)?.row.changedAt ?? row.judgedAt) > row.judgedAt
    const isOtherGone = isFoundByAnotherKind(row) && !row.alsoBy.some((id) => seen.has(id))
    return { isRuleChanged: isChanged(row.conditionId), isOtherChanged: isOtherGone || row.alsoBy.some(isChanged) }
  }
}

/** What follows if a property couldn't be evaluated at all: its rules are retried, and its alerts stay as they are. */
export function failedOutcome(property: Evaluated, rows: readonly ConditionRow[], error: unknown, now: Date): Outcome {
  const nothing = {
    opened: [],
    adopted: [],
    same: [],
    lasting: [],
    alsoBy: [],
    attached: [],
    detached: [],
    ended: [],
    onlyParts: [],
    mended: [],
    leftOut: [],
  }
  return { property, scopes: new Map(), ...nothing, broken: rows.map((row) => problemOf(row.id, error, row, now)) }
}

/** What to announce: separate findings, those of open alerts, and alerts that no longer have a finding. */
function announcedVerdicts(
  runs: readonly RuleVerdicts[],
  groups: ReadonlyMap<Finding, unknown>,
  lasting: ReadonlyMap<string, unknown>,
): Verdict[] {
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

/** Whether a rule, possibly changed since, still covers the entity of one of its alerts. */
export function isCovered(
  of: Pick<Sound, 'rule' | 'scope'> | undefined,
  { entityKind, entityName, searchType, segment }: OpenRow,
): boolean {
  if (!of || !entityKindsOf(of.rule).includes(entityKind as Entity['kind']) || of.scope?.segment?.content !== segment?.content) return false
  const { rule } = of
  if (rule.searchType !== searchType) return false
  return (rule.monitor !== 'pages' && rule.monitor !== 'queries') || rule.targets.includes(entityName)
}

/** Rules whose figures don't cover a whole page, query or site in web search, each with a key for what they cover. */
function partialOf({ rule, scope }: Sound): [string, string][] {
  const part = scope?.within.grain === 'query_page' ? scope.segment?.content : undefined
  return rule.searchType === 'web' && part === undefined ? [] : [[rule.id, JSON.stringify([rule.searchType, part])]]
}

export const hasChanges = ({ opened, same, adopted, alsoBy, detached, ended, onlyParts, broken, mended, leftOut }: Outcome): boolean =>
  opened.length +
    same.length +
    alsoBy.length +
    adopted.length +
    detached.length +
    ended.length +
    onlyParts.length +
    broken.length +
    mended.length >
    0 || leftOut.some(({ count, before }) => count !== before)
