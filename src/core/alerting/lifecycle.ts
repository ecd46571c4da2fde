import type { IsoDate } from '../../contract/common.ts'
import type { Finding } from './evaluate.ts'
import { daysBetween } from '../analytics/days.ts'
import { gainOf } from './figures.ts'
import type { Entity } from './rule.ts'

/** `recovered` is the end: should it happen again, that is another alert. */
export type AlertState = 'firing' | 'acknowledged' | 'snoozed' | 'recovered'

/** An alert that lasts, as far as its life depends on it. */
export type OpenAlert = {
  id: string
  ruleId: string
  entity: Entity
  state: Exclude<AlertState, 'recovered'>
  /** What it was opened with. */
  finding: Finding
  /** What it was last judged to be. */
  latest: Pick<Finding, 'current' | 'previous'>
  /** The last day of the window it was last judged by. */
  judgedThrough: IsoDate
  /** The rule is another one than it was last judged by. */
  isRuleChanged?: boolean
}

/**
 * Why an alert ended: the figure is back near where it was; it has stayed at its new level until that was usual; Google
 * has revised the days it rested on.
 */
export type RecoveryReason = 'back' | 'new_level' | 'revised'

export type Transition =
  | { to: 'firing'; finding: Finding }
  /** Still so, on a later window or by revised figures: nothing is opened, the figures are brought up to date. */
  | { to: 'same'; alertId: string; finding: Finding }
  | { to: 'recovered'; alertId: string; reason: RecoveryReason }

/** What a run learnt of one rule and entity: a finding, or that there is none, judged by the figure `current`. */
export type Verdict = { ruleId: string; entity: Entity; finding: Finding | null; current: number | null }

/**
 * What follows from a run. Rules whose windows were not complete have no verdicts, and nothing happens to their
 * alerts; judging the same figures again changes nothing. New ones come in the order of the verdicts.
 */
export function transitions(open: readonly OpenAlert[], verdicts: readonly Verdict[], through: IsoDate): Transition[] {
  const known = new Map(open.map((alert) => [keyOf(alert), alert]))
  return verdicts.flatMap((verdict): Transition[] => {
    const alert = known.get(keyOf(verdict))
    if (!alert) return verdict.finding ? [{ to: 'firing', finding: verdict.finding }] : []
    const sameWindow = through === alert.judgedThrough
    if (through < alert.judgedThrough || (sameWindow && verdict.finding && isSame(alert.latest, verdict.finding))) return []
    if (verdict.finding) return [{ to: 'same', alertId: alert.id, finding: verdict.finding }]
    const reason = sameWindow ? 'revised' : isBack(alert.finding, verdict.current) ? 'back' : 'new_level'
    if (reason === 'new_level' && !isPast(alert, through)) return []
    return [{ to: 'recovered', alertId: alert.id, reason }]
  })
}

const keyOf = ({ ruleId, entity }: { ruleId: string; entity: Entity }): string => JSON.stringify([ruleId, entity.kind, entity.name])

const isSame = (a: OpenAlert['latest'], b: OpenAlert['latest']): boolean => a.current === b.current && a.previous === b.previous

/**
 * Whether none of the days that an alert was opened with is in the window any more. Before that, a figure that has not come back says
 * little new when it falls short of the rule by a day's chance, and would be told again with the next.
 */
function isPast({ finding: { windows, months }, isRuleChanged }: OpenAlert, through: IsoDate): boolean {
  // What is unusual is judged by days, and knows itself how long it lasts.
  if (months !== undefined || isRuleChanged) return true
  const { start, end } = windows.current
  return daysBetween(end, through) > daysBetween(start, end)
}

/** Whether a figure has made good at least half of what it had lost, or lost half of what it had gained. */
function isBack({ metric, previous, current }: Finding, now: number | null): boolean {
  // A ranking that was gone, and is there again.
  if (previous !== null && current === null && now !== null) return true
  if (previous === null || current === null || now === null) return false
  const made = gainOf(metric, now - current)
  const moved = gainOf(metric, previous - current)
  return moved > 0 ? made >= moved / 2 : made <= moved / 2
}
