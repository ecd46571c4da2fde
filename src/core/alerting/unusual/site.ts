import type { IsoDate } from '../../../contract/common.ts'
import { addDays, dayNumber } from '../../analytics/days.ts'
import type { Confirmed } from '../../detection/calibration.ts'
import { detectInParts, detect, type DetectorState } from '../../detection/smart.ts'
import { type DailyCounts, type IsHoliday, prepare, weekdayOf } from '../../detection/series.ts'
import { expectationBefore } from '../../detection/expectation.ts'
import type { Finding } from '../evaluate.ts'
import type { Verdict } from '../lifecycle.ts'
import type { Rule } from '../rule.ts'
import { type EndedUnusual, evaluateEvening } from './evening.ts'
import { type ExpectedWeek, limitsOf } from './expected.ts'
import { deviationOf, directionOfChange, type LastingUnusual } from './verdict.ts'

const week = 7

/** A property's daily counts, and what is needed to evaluate the last day. */
export type SiteHistory = {
  name: string
  counts: DailyCounts
  isHoliday: IsHoliday
  /** Changes that somebody rated as real. */
  confirmed?: readonly Confirmed[]
}

/**
 * The state kept of a property's past for one metric, up to the day before the evaluated one, so that evaluating a day again gives the same
 * result.
 * @param pause awaited between parts of a long history
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
 * Evaluates a smart rule on the last day of a history.
 * @param state from `advance`
 * @param ended its latest alerts, those that ended because the site was back or at a new level
 * @returns null if the day decides nothing: the open alert stays as it is
 */
export function evaluateSite(
  rule: Rule,
  { counts, isHoliday, name, confirmed = [] }: SiteHistory,
  state: DetectorState | null,
  open: LastingUnusual | null,
  ended: readonly EndedUnusual[] = [],
): Verdict | null {
  const deviations = detect(counts, { isHoliday, sensitivity: rule.sensitivity, confirmed }, state).verdicts.at(-1)
  const day = counts.counts.length - 1
  return evaluateEvening(rule, name, {
    series: prepare(counts, isHoliday),
    day,
    deviations: deviations ?? { fall: null, rise: null },
    open,
    ended,
  })
}

/**
 * The past days on which the rule would have opened an alert, each with its finding; the number of evaluated days; and what is expected of
 * a week now.
 */
export async function backtestSite(rule: Rule, history: SiteHistory, pause: () => Promise<void>): Promise<SiteBacktest> {
  const { counts, isHoliday, name, confirmed = [] } = history
  const options = { isHoliday, sensitivity: rule.sensitivity, confirmed }
  const before = await detectInParts({ ...counts, counts: counts.counts.slice(0, -week) }, options, null, pause)
  const verdicts = [...before.verdicts, ...detect(counts, options, before.state).verdicts]
  const series = prepare(counts, isHoliday)
  const days: { date: IsoDate; finding: Finding }[] = []
  const ended: EndedUnusual[] = []
  let open = null as { opening: Finding; end: IsoDate } | null
  let from: IsoDate | null = null
  let evaluatedDays = 0
  for (const [day, on] of verdicts.entries()) {
    const date = addDays(counts.start, day)
    if ((on.fall === null && on.rise === null) || series.known[day] !== 1) continue
    from ??= date
    evaluatedDays += 1
    const lasting = open && lastingOf(rule, open)
    const verdict = evaluateEvening(rule, name, { series, day, deviations: on, open: lasting, ended })
    if (verdict?.finding) {
      if (!open || verdict.turns) days.push({ date, finding: verdict.finding })
      if (open && verdict.turns) ended.push(open)
      open = { opening: open && !verdict.turns ? open.opening : verdict.finding, end: date }
    } else if (open && verdict) {
      if (verdict.lately) ended.push({ ...open, ...(!verdict.lately.isBack && { level: verdict.lately.level }) })
      open = null
    }
  }
  return { from, evaluatedDays, days, expected: await expectedWeekOf(rule, history, before.state) }
}

const lastingOf = ({ metric }: Rule, { opening, end: last }: { opening: Finding; end: IsoDate }): LastingUnusual => ({
  direction: directionOfChange(metric, opening.change ?? 0),
  severity: opening.severity,
  opening,
  last,
})

type SiteBacktest = {
  from: IsoDate | null
  evaluatedDays: number
  days: { date: IsoDate; finding: Finding }[]
  expected: ExpectedWeek | null
}

/**
 * The clicks or impressions at which a week of the whole site would alert, if each of its last days had the same share of its expected
 * count.
 * @param before the state before those days
 */
async function expectedWeekOf(rule: Rule, history: SiteHistory, before: DetectorState | null): Promise<ExpectedWeek | null> {
  const { counts, isHoliday, name, confirmed = [] } = history
  const past = counts.counts.slice(0, -week)
  const series = prepare(counts, isHoliday)
  const expectation = expectationBefore(series, past.length)
  if (!expectation || past.length + week !== counts.counts.length) return null
  const days = Array.from(
    { length: week },
    (_, i) => expectation.level.latest * (expectation.shares[weekdayOf(series, past.length + i)] as number),
  )
  const expected = days.reduce((sum, day) => sum + day, 0)
  // Holidays have their own expectation: only a week without any shows what the rule does.
  const first = dayNumber(counts.start) + past.length
  const isPlain = (day: number): boolean => day < first && isHoliday(day)
  return {
    entity: name,
    value: expected,
    ...(await limitsOf(expected, async (value) => {
      const tried = { ...counts, counts: [...past, ...days.map((day) => (day * value) / expected)] }
      const { verdicts } = detect(tried, { isHoliday: isPlain, sensitivity: rule.sensitivity, confirmed }, before)
      return verdicts.some((verdict) => deviationOf(rule, verdict, null) !== null)
    })),
  }
}
