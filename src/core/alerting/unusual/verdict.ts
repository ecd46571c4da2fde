import type { IsoDate } from '../../../contract/common.ts'
import { addDays } from '../../analytics/days.ts'
import type { Direction } from '../../detection/expectation.ts'
import { lastingShare } from '../../detection/scan.ts'
import type { Deviation } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import { changeOf, gainOf } from '../figures.ts'
import type { Verdict } from '../lifecycle.ts'
import type { AlertMetric, Entity, Rule } from '../rule.ts'
import { moreSevere, type Severity, severityOf } from '../severity.ts'
import type { Windows } from '../windows.ts'
import { isWorthWaking } from './interrupting.ts'

/** Share of an alarm's limit that keeps an open alert open, so that it doesn't end and reopen at the edge of the limit. */
export const lastingRatio = 0.7
/** A last day below this share of its expected value makes a fall critical. */
const gone = 0.3
/** Number of places at which a threshold rule alerts by default; a loss of twice as many is critical. */
const places = 3

/** The rule's open alert. `opening`: what it was opened with; `last`: the last day that it was found on. */
export type LastingUnusual = {
  direction: Direction
  severity: Severity
  opening?: Pick<Finding, 'previous' | 'current' | 'windows' | 'days' | 'seasonal'> | null
  last?: IsoDate
}

/**
 * The result of evaluating a day. An open alert is never milder than it was reported, and ends before one in the other direction begins.
 * @param deviations the deviation in each direction; a position falls when its number grows
 */
export function verdictOf(
  rule: Rule,
  entity: Entity,
  deviations: Record<Direction, Deviation | null>,
  through: IsoDate,
  open: LastingUnusual | null,
): Verdict {
  const found = deviationOf(rule, deviations, open?.direction ?? null)
  const current = found?.actual ?? deviations.fall?.actual ?? deviations.rise?.actual ?? null
  if (!found || (open && open.direction !== found.direction)) return { ruleId: rule.id, entity, finding: null, current }
  const finding = findingOfDeviation(rule, found, entity, through)
  return {
    ruleId: rule.id,
    entity,
    finding: orSilent(open ? { ...finding, severity: moreSevere(finding.severity, open.severity) } : finding, found),
    current,
  }
}

/** A critical fall that costs only a few clicks a week wakes nobody. */
function orSilent(finding: Finding, { actual, expected, days }: Deviation): Finding {
  const { metric, severity } = finding
  if (severity !== 'critical' || (metric !== 'clicks' && metric !== 'impressions')) return finding
  return isWorthWaking(metric, ((expected - actual) * 7) / days) ? finding : { ...finding, interrupts: false }
}

export function deviationOf(rule: Rule, deviations: Record<Direction, Deviation | null>, open: Direction | null): Deviation | null {
  const asked = (['fall', 'rise'] as const).filter((direction) => rule.direction === 'both' || rule.direction === `${direction}s`)
  const found = asked.flatMap((direction) => {
    const deviation = deviations[direction]
    const least = rule.threshold * (open === direction ? lastingShare : 1)
    if (!deviation || Math.abs(changeFrom(rule.metric, deviation)) < least) return []
    return deviation.isAlarm || (open === direction && deviation.ratio >= lastingRatio) ? [deviation] : []
  })
  return (
    found.toSorted(
      (a, b) => Number(isNewer(b, a)) - Number(isNewer(a, b)) || Number(b.isAlarm) - Number(a.isAlarm) || b.ratio - a.ratio,
    )[0] ?? null
  )
}

/** Whether the fall is newer: a longer window still shows a rise, such as the return from an outage, after the site has dropped again. */
const isNewer = (fall: Deviation, rise: Deviation): boolean =>
  fall.direction === 'fall' && fall.isAlarm && rise.direction === 'rise' && fall.length < rise.length

/** In percent, or in places; 100 if nothing was expected. */
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
    ...(found.days < found.length && { days: found.days }),
    ...(found.seasonal !== undefined && { seasonal: found.seasonal }),
  }
}

/** Critical if it is far down and certainly so, or almost gone today; either shows within days of a real fall. */
export function severityOfUnusual(
  found: Pick<Deviation, 'direction' | 'actual' | 'expected' | 'isCertain' | 'lastDay'>,
  metric: AlertMetric = 'clicks',
): Severity {
  if (found.direction === 'rise') return 'positive'
  const change = changeFrom(metric, found)
  if (metric === 'position') return found.isCertain ? severityOf(metric, change, places) : 'warning'
  if ((change < -30 && found.isCertain) || (found.lastDay !== null && found.lastDay < gone)) return 'critical'
  return change <= -15 ? 'warning' : 'info'
}

/** The direction of a metric's change: a position whose number grows has fallen. */
export const directionOfChange = (metric: AlertMetric, change: number): Direction => (gainOf(metric, change) < 0 ? 'fall' : 'rise')

/** The window that shows it most clearly, and the same weekdays before it for display. */
function windowsOf({ length }: Deviation, end: IsoDate): Windows {
  const weeks = Math.ceil(length / 7)
  const start = addDays(end, 1 - length)
  return { current: { start, end }, base: { start: addDays(start, -7 * weeks), end: addDays(end, -7 * weeks) }, scale: 1 }
}
