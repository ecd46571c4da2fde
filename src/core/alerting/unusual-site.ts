import type { IsoDate } from '../../contract/common.ts'
import { addDays } from '../analytics/days.ts'
import type { Confirmed } from '../detection/calibration.ts'
import { type Deviation, detect, detectInParts, type DetectorState, type Verdict as Judged } from '../detection/smart.ts'
import type { DailyCounts, IsHoliday } from '../detection/series.ts'
import type { Direction } from '../detection/expectation.ts'
import type { Finding } from './evaluate.ts'
import type { Verdict } from './lifecycle.ts'
import type { Rule } from './rule.ts'
import { moreSevere, type Severity } from './severity.ts'
import type { Windows } from './windows.ts'

/** Of an alarm's score, what a later day has to have for it to last: it does not end and begin again on the edge of the threshold. */
const lasting = 0.7

/** A day with less than this part of what was expected of it. */
const gone = 0.3

/** Days that are judged by, and what has been kept of judging those before. */
export type SiteHistory = {
  name: string
  counts: DailyCounts
  isHoliday: IsHoliday
  /** Alerts of which somebody said that it really changed. */
  confirmed?: readonly Confirmed[]
}

/**
 * What is kept of a property's past for one figure, up to the day before the judged one, so that judging a day again gives the same.
 * Days up to `through` are those it was made of.
 * @param pause waited for between parts of a long history
 */
export async function advance(
  { counts, isHoliday }: SiteHistory,
  state: DetectorState | null,
  pause: () => Promise<void>,
): Promise<DetectorState | null> {
  const before = { ...counts, counts: counts.counts.slice(0, -1) }
  if (before.counts.length === 0) return state
  return (await detectInParts(before, { isHoliday, sensitivity: 'normal' }, state, pause)).state
}

/** Of the rule's alert that lasts. */
export type LastingUnusual = { direction: Direction; severity: Severity }

/**
 * Judges the last day of a history by a rule about what is unusual. An alert that lasts is never milder than it was told, and ends
 * before one in the other direction begins.
 * @param state of `advance`
 */
export function judgeSite(rule: Rule, history: SiteHistory, state: DetectorState | null, open: LastingUnusual | null): Verdict {
  const { counts, isHoliday, name, confirmed = [] } = history
  const judged = detect(counts, { isHoliday, sensitivity: rule.sensitivity, confirmed }, state).verdicts.at(-1)
  const entity = { kind: 'site', name } as const
  const through = addDays(counts.start, counts.counts.length - 1)
  const found = judged === undefined ? null : deviationOf(rule, judged, open?.direction ?? null)
  const current = found?.actual ?? judged?.fall?.actual ?? judged?.rise?.actual ?? null
  if (!found || (open && open.direction !== found.direction)) return { ruleId: rule.id, entity, finding: null, current }
  const finding = findingOf(rule, found, entity, through)
  return {
    ruleId: rule.id,
    entity,
    finding: open ? { ...finding, severity: moreSevere(finding.severity, open.severity) } : finding,
    current,
  }
}

function deviationOf(rule: Rule, judged: Judged, open: Direction | null): Deviation | null {
  const asked = (['fall', 'rise'] as const).filter((direction) => rule.direction === 'both' || rule.direction === `${direction}s`)
  const found = asked.flatMap((direction) => {
    const deviation = judged[direction]
    if (!deviation || Math.abs(changeOf(deviation)) < rule.threshold) return []
    return deviation.isAlarm || (open === direction && deviation.ratio >= lasting) ? [deviation] : []
  })
  return found.toSorted((a, b) => b.ratio - a.ratio)[0] ?? null
}

const changeOf = ({ actual, expected }: Deviation): number => (actual / expected - 1) * 100

function findingOf(rule: Rule, found: Deviation, entity: Finding['entity'], through: IsoDate): Finding {
  return {
    ruleId: rule.id,
    entity,
    metric: rule.metric,
    severity: severityOfUnusual(found),
    current: found.actual,
    previous: found.expected,
    change: changeOf(found),
    windows: windowsOf(found, through),
    months: found.months,
  }
}

/** Critical is what is far down and certainly so, or has as good as gone today; either shows within days of a true fall. */
export function severityOfUnusual(found: Deviation): Severity {
  if (found.direction === 'rise') return 'positive'
  const change = changeOf(found)
  if ((change < -30 && found.isCertain) || (found.lastDay !== null && found.lastDay < gone)) return 'critical'
  return change <= -15 ? 'warning' : 'info'
}

/** The window that shows it most clearly, and for the eye the same weekdays before it. */
function windowsOf({ length }: Deviation, end: IsoDate): Windows {
  const weeks = Math.ceil(length / 7)
  const start = addDays(end, 1 - length)
  return { current: { start, end }, base: { start: addDays(start, -7 * weeks), end: addDays(end, -7 * weeks) }, scale: 1 }
}

/** The days of the past on which the rule would have opened an alert, each with what it found; and how many days were judged. */
export async function backtestSite(
  rule: Rule,
  history: SiteHistory,
  pause: () => Promise<void>,
): Promise<{ from: IsoDate | null; judged: number; days: { date: IsoDate; finding: Finding }[] }> {
  const { counts, isHoliday, name, confirmed = [] } = history
  const { verdicts } = await detectInParts(counts, { isHoliday, sensitivity: rule.sensitivity, confirmed }, null, pause)
  const days: { date: IsoDate; finding: Finding }[] = []
  let open: Direction | null = null
  let from: IsoDate | null = null
  let judged = 0
  for (const [i, verdict] of verdicts.entries()) {
    const date = addDays(counts.start, i)
    if (verdict.fall === null && verdict.rise === null) continue
    from ??= date
    judged += 1
    const found = deviationOf(rule, verdict, open)
    if (found && open !== found.direction) days.push({ date, finding: findingOf(rule, found, { kind: 'site', name }, date) })
    open = found?.direction ?? null
  }
  return { from, judged, days }
}
