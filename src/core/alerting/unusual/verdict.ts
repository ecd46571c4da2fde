import type { IsoDate } from '../../../contract/common.ts'
import { addDays } from '../../analytics/days.ts'
import type { Direction } from '../../detection/expectation.ts'
import type { Deviation } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import { changeOf, gainOf } from '../figures.ts'
import type { Verdict } from '../lifecycle.ts'
import type { AlertMetric, Entity, Rule } from '../rule.ts'
import { moreSevere, type Severity, severityOf } from '../severity.ts'
import type { Windows } from '../windows.ts'

/** Of an alarm's score, what a later day has to have for it to last: it does not end and begin again on the edge of the threshold. */
export const lastingRatio = 0.7
/** A day with less than this part of what was expected of it. */
const gone = 0.3
/** Places by which a threshold rule alerts where nothing else was chosen; a loss of twice as many is critical. */
const places = 3

/** Of the rule's alert that lasts. */
export type LastingUnusual = { direction: Direction; severity: Severity }

/**
 * What a day's look comes to. An alert that lasts is never milder than it was told, and ends before one in the other direction begins.
 * @param judged by direction; a position falls when its number grows
 */
export function verdictOf(
  rule: Rule,
  entity: Entity,
  judged: Record<Direction, Deviation | null>,
  through: IsoDate,
  open: LastingUnusual | null,
): Verdict {
  const found = deviationOf(rule, judged, open?.direction ?? null)
  const current = found?.actual ?? judged.fall?.actual ?? judged.rise?.actual ?? null
  if (!found || (open && open.direction !== found.direction)) return { ruleId: rule.id, entity, finding: null, current }
  const finding = findingOfDeviation(rule, found, entity, through)
  return {
    ruleId: rule.id,
    entity,
    finding: open ? { ...finding, severity: moreSevere(finding.severity, open.severity) } : finding,
    current,
  }
}

export function deviationOf(rule: Rule, judged: Record<Direction, Deviation | null>, open: Direction | null): Deviation | null {
  const asked = (['fall', 'rise'] as const).filter((direction) => rule.direction === 'both' || rule.direction === `${direction}s`)
  const found = asked.flatMap((direction) => {
    const deviation = judged[direction]
    if (!deviation || Math.abs(changeFrom(rule.metric, deviation)) < rule.threshold) return []
    return deviation.isAlarm || (open === direction && deviation.ratio >= lastingRatio) ? [deviation] : []
  })
  return found.toSorted((a, b) => b.ratio - a.ratio)[0] ?? null
}

/** In per cent, or in places; of what nothing was expected of, all of it is new. */
const changeFrom = (metric: AlertMetric, { actual, expected }: Pick<Deviation, 'actual' | 'expected'>): number =>
  changeOf(metric, expected, actual) ?? 100

export function findingOfDeviation(rule: Rule, found: Deviation, entity: Entity, through: IsoDate): Finding {
  return {
    ruleId: rule.id,
    entity,
    metric: rule.metric,
    severity: severityOfUnusual(found, rule.metric),
    current: found.actual,
    previous: found.expected,
    change: changeFrom(rule.metric, found),
    windows: windowsOf(found, through),
    months: found.months,
  }
}

/** Critical is what is far down and certainly so, or has as good as gone today; either shows within days of a true fall. */
export function severityOfUnusual(found: Deviation, metric: AlertMetric = 'clicks'): Severity {
  if (found.direction === 'rise') return 'positive'
  const change = changeFrom(metric, found)
  if (metric === 'position') return found.isCertain ? severityOf(metric, change, places) : 'warning'
  if ((change < -30 && found.isCertain) || (found.lastDay !== null && found.lastDay < gone)) return 'critical'
  return change <= -15 ? 'warning' : 'info'
}

/** The direction that a change of a figure goes in: a position that grows has fallen. */
export const directionOfChange = (metric: AlertMetric, change: number): Direction => (gainOf(metric, change) < 0 ? 'fall' : 'rise')

/** The window that shows it most clearly, and for the eye the same weekdays before it. */
function windowsOf({ length }: Deviation, end: IsoDate): Windows {
  const weeks = Math.ceil(length / 7)
  const start = addDays(end, 1 - length)
  return { current: { start, end }, base: { start: addDays(start, -7 * weeks), end: addDays(end, -7 * weeks) }, scale: 1 }
}
