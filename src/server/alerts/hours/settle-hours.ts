import { alertSeriesDays } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { type HourlyMetric, type HourlyVerdict, isHourly, isHourlyMetric, judgeFinalDay } from '../../../core/alerting/hours/hourly.ts'
import { finalDay } from '../../../core/alerting/copy.ts'
import { isSameDirection } from '../../../core/alerting/figures.ts'
import type { Rule } from '../../../core/alerting/rule.ts'
import { moreSevere } from '../../../core/alerting/severity.ts'
import { addDays, eachDay, later } from '../../../core/analytics/days.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { HolidayCountries } from '../../common/holiday-countries.ts'
import type { FactsStore } from '../../facts/store.ts'
import { soundRule, windowsOf } from './hourly-rules.ts'
import type { HourlyAlert, HourlyStore, Settled } from './hourly-store.ts'
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
    const settled = alerts.flatMap((alert): Settled[] => {
      const condition = conditions.get(alert.conditionId ?? 0)
      const rule = condition ? soundRule(condition, log) : null
      return rule === null ? [] : settledBy(alert, rule, known, through)
    })
    await store.settle(property, settled, clock.now())
  }
}

function settledBy(alert: HourlyAlert, rule: Rule, known: KnownDays | null, through: IsoDate): Settled[] {
  const { id: alertId, hours, figures } = alert
  const { metric } = rule
  if (through < hours.day) return []
  const isRise = (figures?.change ?? 0) > 0
  if (!isHourly(rule) || !isHourlyMetric(metric) || rule.direction === (isRise ? 'falls' : 'rises'))
    return [{ alertId, to: 'ended', reason: 'rule_changed', hours }]
  if (hours.status !== 'preliminary') return [afterwards(alert, rule, metric, known, through)]
  const verdict = verdictOn(hours.day, hours.day, rule, metric, known)
  if (!verdict) return through < addDays(hours.day, patienceDays) ? [] : [{ alertId, to: 'ended', reason: 'day_unknown', hours }]
  const { current, usual, change, weeks, severity } = verdict
  const final = { current, previous: usual, change }
  const detail = `${finalDay(metric, hours.day, final)}.`
  const judged = { ...hours, final, judged: hours.day }
  if (severity === null || !isSameDirection(figures, final))
    return [{ alertId, to: 'ended', reason: 'day_withdrew', detail, hours: { ...judged, status: 'withdrawn' } }]
  return [
    {
      alertId,
      to: 'confirmed',
      detail,
      severity: moreSevere(severity, alert.severity),
      figures: { ...final, windows: windowsOf(hours.day, weeks) },
      hours: { ...judged, weeks, status: 'confirmed' },
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
    if (day > last) return { alertId, to: 'ended', reason: 'new_level', hours: { ...hours, judged: day } }
    const verdict = verdictOn(day, hours.day, rule, metric, known)
    if (!verdict || verdict.change === null) continue
    const further = (alert.figures?.change ?? 0) > 0 ? verdict.change : -verdict.change
    if (further >= rule.threshold / 2) continue
    const detail = `${finalDay(metric, day, { current: verdict.current, previous: verdict.usual, change: verdict.change })}.`
    return { alertId, to: 'ended', reason: 'back', detail, hours: { ...hours, judged: day } }
  }
  return { alertId, to: 'waits', hours: { ...hours, judged: through } }
}

/** Compared with what was expected before the alert's own day: the days since then may be just as far off. */
function verdictOn(day: IsoDate, found: IsoDate, rule: Rule, metric: HourlyMetric, known: KnownDays | null): HourlyVerdict | null {
  const current = known?.of(metric, day) ?? null
  return known && current !== null ? judgeFinalDay(rule, day, current, known.expected(metric, day, found)) : null
}
