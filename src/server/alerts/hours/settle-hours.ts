import { alertSeriesDays } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import type { ExpectedDay } from '../../../core/alerting/hours/expected-day.ts'
import {
  type HourlyMetric,
  type HourlyVerdict,
  isHourly,
  isHourlyMetric,
  evaluateFinalDay,
  settleDay,
} from '../../../core/alerting/hours/hourly.ts'
import { finalDay } from '../../../core/alerting/copy.ts'
import type { Level } from '../../../core/alerting/ending.ts'
import type { Rule } from '../../../core/alerting/rule.ts'
import { addDays, eachDay, later } from '../../../core/analytics/days.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { HolidayCountries } from '../../common/holiday-countries.ts'
import type { FactsStore } from '../../facts/store.ts'
import { soundRule, windowsOf } from './hourly-rules.ts'
import type { HourlyAlert, HourlyStore, Settled } from './hourly-store.ts'
import { countedBy } from './hours-known.ts'
import { type KnownDays, readKnownDays } from './known-days.ts'

/** A day that can't be evaluated by then is abandoned: its data, or that of the days it is compared with, never came. */
const patienceDays = 14

type SettlementDeps = { store: HourlyStore; facts: FactsStore; countries: HolidayCountries; clock: Clock; log: Log }

/** What final days decide about hourly alerts. */
export function createSettlement({ store, clock, log, facts, countries }: SettlementDeps) {
  return async (id: number): Promise<void> => {
    const property = await store.property(id)
    const through = property?.through ?? null
    if (!property || through === null) return
    const conditions = new Map((await store.conditions(id)).map((row) => [row.id, row]))
    const alerts = await store.open(id)
    const [first] = alerts
    if (!first) return
    const from = alerts.reduce((least, { hours }) => (hours.day < least ? hours.day : least), first.hours.day)
    const known = await readKnownDays({ facts, countries }, { ...property, through }, from)
    const settled: Settled[] = []
    for (const alert of alerts) {
      const condition = conditions.get(alert.conditionId ?? 0)
      const rule = condition ? soundRule(condition, log) : null
      if (rule === null) continue
      const { hours } = alert
      const isDue = hours.status === 'preliminary' && through >= hours.day
      const recounted = isDue && isHourlyMetric(rule.metric) ? await countedBy(facts, id, rule.metric, hours) : null
      settled.push(...settledBy(alert, rule, known, through, recounted))
    }
    await store.settle(property, settled, clock.now())
  }
}

/** @param recounted the count of the hours that opened a preliminary alert, as known by now */
function settledBy(alert: HourlyAlert, rule: Rule, known: KnownDays | null, through: IsoDate, recounted: number | null): Settled[] {
  const { id: alertId, hours, figures } = alert
  const { metric } = rule
  if (through < hours.day) return []
  const isRise = (figures?.change ?? 0) > 0
  if (!isHourly(rule) || !isHourlyMetric(metric) || rule.direction === (isRise ? 'falls' : 'rises'))
    return [{ alertId, to: 'ended', reason: 'rule_changed', hours }]
  if (hours.status !== 'preliminary') return [afterwards(alert, rule, metric, known, through)]
  const { previous, current: counted } = figures ?? {}
  const seen = { severity: alert.severity, previous: previous ?? 0, current: counted ?? 0, recounted }
  const verdict = verdictOn(hours.day, hours.day, metric, known, (...day) => settleDay(rule, ...day, seen))
  if (!verdict) return through < addDays(hours.day, patienceDays) ? [] : [{ alertId, to: 'ended', reason: 'day_unknown', hours }]
  const { current, usual, change, weeks, severity } = verdict
  const final = { current, previous: usual, change }
  const detail = `${finalDay(metric, hours.day, final)}.`
  const settled = { ...hours, final, judged: hours.day }
  if (severity === null) return [{ alertId, to: 'ended', reason: 'day_withdrew', detail, hours: { ...settled, status: 'withdrawn' } }]
  return [
    {
      alertId,
      to: 'confirmed',
      detail,
      severity,
      figures: { ...final, windows: windowsOf(hours.day, weeks) },
      hours: { ...settled, weeks, status: 'confirmed' },
      series: eachDay(addDays(hours.day, 1 - alertSeriesDays), hours.day).flatMap((day) => known?.of(metric, day) ?? []),
    },
  ]
}

/**
 * A confirmed alert stays open while the following days are just as far off. It ends with the first day that isn't, or with the day that
 * would be compared with its own: by then the daily rules have found it, or it is the new level.
 */
function afterwards(alert: HourlyAlert, rule: Rule, metric: HourlyMetric, known: KnownDays | null, through: IsoDate): Settled {
  const { id: alertId, hours } = alert
  const last = addDays(hours.day, 6)
  for (const day of eachDay(addDays(later(hours.day, hours.judged ?? hours.day), 1), through)) {
    if (day > last) {
      const level = levelSince(hours.day, last, metric, known)
      return { alertId, to: 'ended', reason: 'new_level', ...(level && { level }), hours: { ...hours, judged: day } }
    }
    const verdict = verdictOn(day, hours.day, metric, known, (...final) => evaluateFinalDay(rule, ...final))
    if (!verdict || verdict.change === null) continue
    const further = (alert.figures?.change ?? 0) > 0 ? verdict.change : -verdict.change
    if (further >= rule.threshold / 2) continue
    const detail = `${finalDay(metric, day, { current: verdict.current, previous: verdict.usual, change: verdict.change })}.`
    return { alertId, to: 'ended', reason: 'back', detail, hours: { ...hours, judged: day } }
  }
  return { alertId, to: 'waits', hours: { ...hours, judged: through } }
}

/** The clicks a day since the alert's own day, and those that were expected of these days before it; null if none is known. */
function levelSince(found: IsoDate, last: IsoDate, metric: HourlyMetric, known: KnownDays | null): Level | null {
  const days = eachDay(addDays(found, 1), last).flatMap((day) => {
    const [value, expected] = [known?.of(metric, day) ?? null, known?.expected(metric, day, found) ?? null]
    return value === null || expected === null ? [] : [{ value, before: expected.count.latest }]
  })
  const mean = (of: 'value' | 'before'): number => days.reduce((sum, day) => sum + day[of], 0) / days.length
  return days.length === 0 ? null : { value: mean('value'), before: mean('before'), days: 1 }
}

type EvaluateDay = (day: IsoDate, current: number, expected: ExpectedDay | null) => HourlyVerdict | null

/** Compared with what was expected before the alert's own day: the days since then may be just as far off. */
function verdictOn(
  day: IsoDate,
  found: IsoDate,
  metric: HourlyMetric,
  known: KnownDays | null,
  evaluate: EvaluateDay,
): HourlyVerdict | null {
  const current = known?.of(metric, day) ?? null
  return known && current !== null ? evaluate(day, current, known.expected(metric, day, found)) : null
}
