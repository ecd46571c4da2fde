import type { IsoDate } from '../../../contract/common.ts'
import { addDays } from '../../analytics/days.ts'
import type { Confirmed } from '../../detection/calibration.ts'
import { detectInParts, detect, type DetectorState } from '../../detection/smart.ts'
import type { DailyCounts, IsHoliday } from '../../detection/series.ts'
import type { Direction } from '../../detection/expectation.ts'
import type { Finding } from '../evaluate.ts'
import type { Verdict } from '../lifecycle.ts'
import type { Rule } from '../rule.ts'
import { deviationOf, findingOfDeviation, type LastingUnusual, verdictOf } from './verdict.ts'

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

/**
 * Judges the last day of a history by a rule about what is unusual.
 * @param state of `advance`
 */
export function judgeSite(rule: Rule, history: SiteHistory, state: DetectorState | null, open: LastingUnusual | null): Verdict {
  const { counts, isHoliday, name, confirmed = [] } = history
  const judged = detect(counts, { isHoliday, sensitivity: rule.sensitivity, confirmed }, state).verdicts.at(-1)
  const through = addDays(counts.start, counts.counts.length - 1)
  return verdictOf(rule, { kind: 'site', name }, judged ?? { fall: null, rise: null }, through, open)
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
    if (found && open !== found.direction) days.push({ date, finding: findingOfDeviation(rule, found, { kind: 'site', name }, date) })
    open = found?.direction ?? null
  }
  return { from, judged, days }
}
