import type { IsoDate } from '../../contract/common.ts'
import { addDays, dayNumber, daysBetween, eachDay } from '../analytics/days.ts'
import { mostLasting, mostMovedOf } from './bounds.ts'
import { comparable, type EntityFigures, type Finding } from './evaluate.ts'
import { type OpenAlert, transitions } from './lifecycle.ts'
import { type Earlier, returnDays, withoutReturns } from './muting.ts'
import { type History, isReady, knownWeeks, knownYearAgo } from './readiness.ts'
import { lookedAt, type Rule } from './rule.ts'
import { evaluateRules } from './run.ts'
import type { Series } from './series.ts'
import { entitiesToEvaluate } from './entities-to-evaluate.ts'
import { usualOf } from './unusual/unusual.ts'
import { historyWeeks, windowsOf } from './windows.ts'

/** The alerts that one day would have opened, and the changes beyond the threshold that were ignored as usual. */
export type BacktestDay = { date: IsoDate; findings: readonly Finding[]; silenced: readonly Finding[] }

type Days = { from: IsoDate | null; evaluatedDays: number; days: { date: IsoDate; findings: readonly Finding[] }[] }

/** Minimum number of evaluated days for a yearly rate: half a year, so that one holiday week doesn't look like a pattern. */
const minimumEvaluatedDays = 182

/** The number of alerts per year, given how many there were on how many evaluated days; null for too few days. */
export const aYear = (alerts: number, evaluatedDays: number): number | null =>
  evaluatedDays >= minimumEvaluatedDays ? (alerts * 365.25) / evaluatedDays : null

/** Days around an alert on which the same entity isn't also listed as silenced: one change is found on several days. */
const sameChangeDays = 7
const aroundDay = Array.from({ length: 2 * sameChangeDays - 1 }, (_, i) => i + 1 - sameChangeDays)

/**
 * What a rule would have done if it had been evaluated on each day of the stored history as it is on the last one.
 * @param series every entity that the rule may have looked at on any of those days
 * @param pause awaited between two days: evaluating many entities takes a while
 */
export async function backtest(
  rule: Rule,
  series: readonly Series[],
  history: Omit<History, 'isGrowing'>,
  through: IsoDate,
  pause: () => Promise<void>,
): Promise<{ from: IsoDate | null; days: BacktestDay[]; alertsAYear: number | null; usual: UsualOfRule | null }> {
  const found = await daysOf(rule, series, history, through, pause)
  const loose = rule.onlyUnusual ? (await daysOf({ ...rule, onlyUnusual: false }, series, history, through, pause)).days : []
  const alerted = new Map<string, Set<number>>()
  for (const { date, findings } of found.days) {
    for (const { entity } of findings) alerted.set(entity.name, (alerted.get(entity.name) ?? new Set()).add(dayNumber(date)))
  }
  const isSilenced = ({ entity }: Finding, date: IsoDate): boolean => {
    const days = alerted.get(entity.name)
    return days === undefined || aroundDay.every((offset) => !days.has(dayNumber(date) + offset))
  }
  const byDate = new Map<IsoDate, BacktestDay>(found.days.map((day) => [day.date, { ...day, silenced: [] }]))
  for (const { date, findings } of loose) {
    await pause()
    const silenced = findings.filter((finding) => isSilenced(finding, date))
    if (silenced.length > 0) byDate.set(date, { date, findings: byDate.get(date)?.findings ?? [], silenced })
  }
  const days = [...byDate.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const count = found.days.reduce((sum, { findings }) => sum + findings.length, 0)
  return { from: found.from, days, alertsAYear: aYear(count, found.evaluatedDays), usual: usualOfRule(rule, series, history, through) }
}

export type UsualOfRule = { entity: string; varies: number; alertsFrom: number }

/** What has been usual lately for the busiest entity the rule watches, and the change at which it alerts. */
function usualOfRule(rule: Rule, series: readonly Series[], history: Omit<History, 'isGrowing'>, through: IsoDate): UsualOfRule | null {
  const windows = windowsOf(rule.comparison, through)
  if (rule.kind !== 'change' || !rule.onlyUnusual || !isReady(rule, windows, { ...history, isGrowing: false })) return null
  const weeks = knownWeeks(windows.current, history.completeDays)
  const yearAgo = knownYearAgo(windows.current, history.completeDays)
  const entities = entitiesToEvaluate({ rule, windows, weeks, yearAgo, series, withOpenAlerts: [] })
  const busiest = entities.reduce<EntityFigures | null>((most, each) => (most && most.base.clicks >= each.base.clicks ? most : each), null)
  const usual = busiest && usualOf(rule.metric, comparable(rule, busiest, windows).past, busiest.current, lookedAt(rule))
  if (!busiest || !usual || usual.expected === 0) return null
  const isPosition = rule.metric === 'position'
  // A position that rises is a smaller number.
  const bound = (rule.direction === 'rises') === isPosition ? usual.low : usual.high
  const change = isPosition ? bound - usual.expected : (bound / usual.expected - 1) * 100
  const alertsFrom = Math.sign(change) * Math.max(Math.abs(change), rule.threshold)
  return { entity: busiest.entity.name, varies: isPosition ? usual.varies : usual.varies * 100, alertsFrom }
}

async function daysOf(
  rule: Rule,
  series: readonly Series[],
  history: Omit<History, 'isGrowing'>,
  through: IsoDate,
  pause: () => Promise<void>,
): Promise<Days> {
  const days: Days['days'] = []
  let open: OpenAlert[] = []
  let over: Earlier[] = []
  let from: IsoDate | null = null
  let evaluatedDays = 0
  for (const day of daysToTry(history.from, through)) {
    await pause()
    const windows = windowsOf(rule.comparison, day)
    if (!isReady(rule, windows, { ...history, isGrowing: false })) continue
    from ??= day
    evaluatedDays += 1
    const weeks = knownWeeks(windows.current, history.completeDays)
    const withOpenAlerts = open.map(({ entity }) => entity.name)
    const yearAgo = knownYearAgo(windows.current, history.completeDays)
    const entities = entitiesToEvaluate({ rule, windows, weeks, yearAgo, series, withOpenAlerts })
    const [run] = evaluateRules([{ rule, windows, entities }], history.completeDays)
    over = over.filter(({ end }) => end !== null && daysBetween(end, day) <= returnDays)
    const earlier = [...over, ...open.map((alert) => earlierOf(alert, null))]
    const verdicts = run && 'verdicts' in run ? withoutReturns(rule, run.verdicts, earlier) : []
    const steps = transitions(open, verdicts, day)
    const lasting = open.flatMap((alert): OpenAlert[] => {
      const step = steps.find((each) => each.to !== 'firing' && each.alertId === alert.id)
      if (step?.to === 'same') return [{ ...alert, latest: step.finding, evaluatedThrough: day }]
      if (step?.to === 'recovered' && step.reason === 'back') over.push(earlierOf(alert, alert.evaluatedThrough))
      return step ? [] : [alert]
    })
    const found = steps.flatMap((step) => (step.to === 'firing' ? [step.finding] : []))
    const findings = mostMovedOf(found, mostLasting - lasting.length)
    if (findings.length > 0) days.push({ date: day, findings })
    open = [...lasting, ...findings.map((finding) => openedBy(finding, day))]
  }
  return { from, evaluatedDays, days }
}

/** Every day with enough stored history to know what is usual; if the history is short, every day there is. */
function daysToTry(from: IsoDate | null, through: IsoDate): IsoDate[] {
  if (from === null) return []
  const settled = addDays(from, 7 * (historyWeeks + 1) - 1)
  return eachDay(settled < through ? settled : from, through)
}

const earlierOf = ({ ruleId, entity, finding: opening }: OpenAlert, end: IsoDate | null): Earlier => ({
  ruleId,
  name: entity.name,
  opening,
  end,
})

const openedBy = (finding: Finding, evaluatedThrough: IsoDate): OpenAlert => ({
  id: JSON.stringify(finding.entity),
  ruleId: finding.ruleId,
  entity: finding.entity,
  state: 'firing',
  finding,
  latest: finding,
  evaluatedThrough,
})
