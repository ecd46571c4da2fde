import type { IsoDate } from '../../contract/common.ts'
import type { Finding } from './evaluate.ts'
import { daysBetween } from '../analytics/days.ts'
import type { Level } from './ending.ts'
import { gainOf } from './figures.ts'
import type { Entity } from './rule.ts'

/** `recovered` is final: if it happens again, that is a new alert. */
export type AlertState = 'firing' | 'acknowledged' | 'snoozed' | 'recovered'

/** What the lifecycle needs to know about an open alert. */
export type OpenAlert = {
  id: string
  ruleId: string
  entity: Entity
  state: Exclude<AlertState, 'recovered'>
  /** The finding that opened it. */
  finding: Finding
  /** Its values at the last evaluation. */
  latest: Pick<Finding, 'current' | 'previous'>
  /** The last day of the window it was last evaluated for. */
  judgedThrough: IsoDate
  /** Whether its rule was changed since then. */
  isRuleChanged?: boolean
}

/** Why an alert ended: the metric came back; it settled at its new level; or Google revised the days in question. */
export type RecoveryReason = 'back' | 'new_level' | 'revised'

export type Transition =
  | { to: 'firing'; finding: Finding }
  /** Still true in a later window or after a revision: no new alert, only updated values. */
  | { to: 'same'; alertId: string; finding: Finding }
  /** `level`: the figure that the metric settled at. */
  | { to: 'recovered'; alertId: string; reason: RecoveryReason; level?: number | null | Level }

/** The result of one rule for one entity: a finding or none, based on the value `current`. */
export type Verdict = { ruleId: string; entity: Entity; finding: Finding | null; current: number | null; lately?: Lately | null }

/**
 * Whether an open alert's metric is back, and its level, where `current` can't tell: smart rules about a whole site look at windows of
 * varying lengths, whose sums aren't comparable.
 */
export type Lately = { isBack: boolean; level: Level }

/**
 * The changes that follow from an evaluation. A rule whose windows are incomplete has no verdicts, and its alerts stay as they are;
 * evaluating the same data again changes nothing. New alerts come in the order of the verdicts.
 */
export function transitions(open: readonly OpenAlert[], verdicts: readonly Verdict[], through: IsoDate): Transition[] {
  const known = new Map(open.map((alert) => [keyOf(alert), alert]))
  return verdicts.flatMap((verdict): Transition[] => {
    const alert = known.get(keyOf(verdict))
    if (!alert) return verdict.finding ? [{ to: 'firing', finding: verdict.finding }] : []
    const sameWindow = through === alert.judgedThrough
    if (through < alert.judgedThrough || (sameWindow && verdict.finding && isSame(alert.latest, verdict.finding))) return []
    if (verdict.finding) return [{ to: 'same', alertId: alert.id, finding: verdict.finding }]
    const { lately, current } = verdict
    const reason = sameWindow ? 'revised' : (lately?.isBack ?? isBack(alert.finding, current)) ? 'back' : 'new_level'
    if (reason === 'new_level' && !isPast(alert, through)) return []
    return [{ to: 'recovered', alertId: alert.id, reason, ...(reason === 'new_level' && { level: lately?.level ?? current }) }]
  })
}

const keyOf = ({ ruleId, entity }: { ruleId: string; entity: Entity }): string => JSON.stringify([ruleId, entity.kind, entity.name])

const isSame = (a: OpenAlert['latest'], b: OpenAlert['latest']): boolean => a.current === b.current && a.previous === b.previous

/**
 * Whether the window has moved past all days that the alert was opened with. Until then, a metric that hasn't come back but misses the
 * threshold is mostly one day's chance: ending the alert would only send it again the next day.
 */
function isPast({ finding: { windows, months }, isRuleChanged }: OpenAlert, through: IsoDate): boolean {
  // Smart rules look at days and decide themselves how long an alert lasts.
  if (months !== undefined || isRuleChanged) return true
  const { start, end } = windows.current
  return daysBetween(end, through) > daysBetween(start, end)
}

/** Whether a metric has regained at least half of its loss, or lost half of its gain. */
export function isBack({ metric, previous, current }: Pick<Finding, 'metric' | 'previous' | 'current'>, now: number | null): boolean {
  // A lost ranking that is back.
  if (previous !== null && current === null && now !== null) return true
  if (previous === null || current === null || now === null) return false
  const made = gainOf(metric, now - current)
  const moved = gainOf(metric, previous - current)
  return moved > 0 ? made >= moved / 2 : made <= moved / 2
}
