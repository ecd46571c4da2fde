import type { IsoDate, SearchType } from '../../contract/common.ts'
import { countedAlike } from '../analytics/anomalies.ts'
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
  searchType?: SearchType
  state: Exclude<AlertState, 'recovered'>
  /** The finding that opened it. */
  finding: Finding
  /** Its values at the last evaluation. */
  latest: Pick<Finding, 'current' | 'previous'>
  /** The last day of the window it was last evaluated for. */
  evaluatedThrough: IsoDate
  /** Whether its rule was changed since then. */
  isRuleChanged?: boolean
  /** Whether another rule that found the same has been turned off, deleted or changed since then. */
  isOtherChanged?: boolean
  /** Why its own change is over, if only its parts still last. */
  ownEnd?: RecoveryReason | null
}

/**
 * Why an alert ended: the metric came back; it settled at its new level; Google revised the days, or counts it differently since; or the
 * rule was changed.
 */
export type RecoveryReason = 'back' | 'new_level' | 'revised' | 'counted_otherwise' | 'rule_changed'

export type Transition =
  | { to: 'firing'; finding: Finding }
  /** Still true in a later window or after a revision: no new alert, only updated values. */
  | { to: 'same'; alertId: string; finding: Finding }
  /** `level`: the figure that the metric settled at. */
  | { to: 'recovered'; alertId: string; reason: RecoveryReason; level?: number | null | Level }
  /** The alert's own change is over, and there is another one: the alert ends, and a new one begins. */
  | { to: 'again'; alertId: string; reason: RecoveryReason; finding: Finding }

/**
 * The result of one rule for one entity: a finding or none, based on the value `current`.
 * `limit`: for lost rankings, the last position that counts.
 */
export type Verdict = {
  ruleId: string
  entity: Entity
  finding: Finding | null
  current: number | null
  limit?: number
  lately?: Lately | null
  /** The days that the open alert was opened with no longer show a change: Google has revised them. */
  isRevised?: boolean
  /** The finding is a drop, while the open alert is about a rise: that one is over, and this one is reported at once. */
  turns?: boolean
}

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
    if (through < alert.evaluatedThrough) return []
    if (verdict.finding) {
      const isKnown = through === alert.evaluatedThrough && !alert.isRuleChanged && isSame(alert.latest, verdict.finding)
      if (isKnown) return []
      const reason = alert.ownEnd ?? (verdict.turns ? 'back' : null)
      return reason
        ? [{ to: 'again', alertId: alert.id, reason, finding: verdict.finding }]
        : [{ to: 'same', alertId: alert.id, finding: verdict.finding }]
    }
    if (alert.ownEnd && alert.ownEnd !== 'rule_changed') return [{ to: 'recovered', alertId: alert.id, reason: alert.ownEnd }]
    const reason = reasonOf(alert, verdict, through)
    if (reason === null) return []
    return [
      { to: 'recovered', alertId: alert.id, reason, ...(reason === 'new_level' && { level: verdict.lately?.level ?? verdict.current }) },
    ]
  })
}

const keyOf = ({ ruleId, entity }: { ruleId: string; entity: Entity }): string => JSON.stringify([ruleId, entity.kind, entity.name])

const isSame = (a: OpenAlert['latest'], b: OpenAlert['latest']): boolean => a.current === b.current && a.previous === b.previous

/** Why an alert without a finding ends; null if it stays open. */
function reasonOf(alert: OpenAlert, verdict: Verdict, through: IsoDate): RecoveryReason | null {
  if (verdict.isRevised) return 'revised'
  const sameWindow = through === alert.evaluatedThrough
  const hasCome = !sameWindow && hasReturned(alert, verdict)
  const isOver = !sameWindow && isPast(alert, through)
  if ((hasCome || isOver) && isCountedOtherwise(alert, through)) return 'counted_otherwise'
  if (hasCome) return 'back'
  if (alert.isRuleChanged && (!isOver || alert.finding.months !== undefined)) return 'rule_changed'
  if (!sameWindow) return isOver ? 'new_level' : null
  // If the figures are the same, only the rules can have changed: another rule had found it. (Smart rules' windows vary.)
  const isUnchanged = alert.finding.months === undefined && verdict.current === alert.latest.current
  return alert.isOtherChanged || isUnchanged ? 'rule_changed' : 'revised'
}

/**
 * Whether the window has moved past all days that the alert was opened with. Until then, a metric that hasn't come back but misses the
 * threshold is mostly one day's chance: ending the alert would only send it again the next day.
 */
function isPast({ finding: { windows, months } }: OpenAlert, through: IsoDate): boolean {
  // Smart rules look at days and decide themselves how long an alert lasts.
  if (months !== undefined) return true
  const { start, end } = windows.current
  return daysBetween(end, through) > daysBetween(start, end)
}

/** Whether Google has counted the metric differently since the alert was opened: nothing says whether it is back. */
function isCountedOtherwise({ finding: { metric, previous, windows }, searchType = 'web' }: OpenAlert, through: IsoDate): boolean {
  const { since } = countedAlike(metric, through, searchType)
  // What is new is compared with nothing.
  return previous !== null && since !== null && windows.current.start < since
}

/** A lost ranking is back where it counts; at any other position, or at none, it has settled. */
function hasReturned({ finding }: OpenAlert, { current, limit, lately }: Verdict): boolean {
  if (lately) return lately.isBack
  return limit === undefined ? isBack(finding, current) : current !== null && current <= limit
}

/** Whether a metric has regained at least half of its loss, or lost half of its gain. */
export function isBack({ metric, previous, current }: Pick<Finding, 'metric' | 'previous' | 'current'>, now: number | null): boolean {
  if (previous === null || current === null || now === null) return false
  const made = gainOf(metric, now - current)
  const moved = gainOf(metric, previous - current)
  return moved > 0 ? made >= moved / 2 : made <= moved / 2
}
