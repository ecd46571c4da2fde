import { defaultConditions } from '../../../core/alerting/defaults.ts'
import { farBeyond, type HoursOfDay, isHourlyMetric, evaluateHours, oneOfEach } from '../../../core/alerting/hours/hourly.ts'
import { hourlyDetail, soFar } from '../../../core/alerting/copy.ts'
import { hourlyRefusal } from '../../../core/billing/entitlements.ts'
import { pacificDay } from '../../../core/analytics/days.ts'
import { abandonedNow, partOfThis, runAs } from '../../platform/tenant.ts'
import type { HolidayCountries } from '../../common/holiday-countries.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { ConditionsStore } from '../rules/conditions-store.ts'
import type { HourlyFinding, HourlyProperty, HourlyStore } from './hourly-store.ts'
import { hourlyRules, windowsOf } from './hourly-rules.ts'
import { hoursKnown } from './hours-known.ts'
import { readKnownDays } from './known-days.ts'
import type { Beyond } from './note-beyond.ts'
import type { PropertyLocks } from '../locks.ts'
import { createSettlement } from './settle-hours.ts'

export type HourlyDeps = {
  store: HourlyStore
  conditions: ConditionsStore
  facts: FactsStore
  countries: HolidayCountries
  locks: PropertyLocks
  clock: Clock
  log: Log
}

/** Older hours say nothing about now. */
const freshMs = 36 * 3_600_000

/** Instant alerts: hours are evaluated as they come in, and the final day settles what they showed. */
export function createHourlyEvaluation(deps: HourlyDeps) {
  const { store, facts, clock, log } = deps
  const settle = createSettlement(deps)

  async function evaluate(id: number): Promise<void> {
    const property = await store.property(id)
    if (!property) return
    const now = clock.now()
    await store.found(property, ...(await findingsOf(property, now)), now)
  }

  async function findingsOf(property: HourlyProperty, now: Date): Promise<[HourlyFinding[], Beyond[]]> {
    const { hoursThrough: through } = property
    if (through === null || through.getTime() < now.getTime() - freshMs || hourlyRefusal(property.plan) !== null) return [[], []]
    const day = pacificDay(through)
    // Final days are left to the daily evaluation.
    if (property.through === null || property.through >= day) return [[], []]
    const rules = hourlyRules(await store.conditions(property.id), log)
    if (rules.length === 0) return [[], []]
    const { today, before } = await hoursKnown(facts, property.id, through)
    const known = await readKnownDays(deps, { ...property, through: property.through }, day)
    const found = rules.flatMap(({ condition, rule }) => {
      const expected = known && isHourlyMetric(rule.metric) ? known.expected(rule.metric, day) : null
      const verdict = evaluateHours(rule, today, before, expected)
      if (!verdict || verdict.severity === null || verdict.change === null) return []
      const { current, usual, change, weeks, severity } = verdict
      const windows = windowsOf(day, weeks)
      const hours = { day, through: endOf(today), weeks, status: 'preliminary' as const, final: null, judged: null }
      return [{ rule, change, condition, severity, figures: { previous: usual, current, change, windows }, hours }]
    })
    if (found.length === 0) return [[], []]
    const open = await store.openOfSite(property.id)
    const beyond = farBeyond(found, open, day).map(({ alertId, finding: { rule, change, figures, hours } }) => {
      return { alertId, change, soFar: soFar(hours), detail: hourlyDetail(rule.metric, hours, figures) }
    })
    return [oneOfEach(found, open), beyond]
  }

  async function each(ids: readonly number[], work: (id: number) => Promise<void>): Promise<void> {
    for (const id of ids) {
      if (abandonedNow()?.aborted) return
      try {
        await deps.locks.free([id], async (free) => void (await Promise.all(free.map(work))))
      } catch (error) {
        if (abandonedNow()?.aborted) return
        // It stays due; neither other properties nor the daily evaluation wait for it.
        log.error({ err: error, property: id }, 'hourly evaluation of a property failed')
      }
    }
  }

  return {
    /** A property's stored hours have changed: whoever looks for due work next evaluates them. */
    async changed(propertyId: number): Promise<void> {
      await deps.conditions.ensureDefaults([propertyId], defaultConditions, clock.now())
      await store.changed(propertyId)
    },

    /** Settles alerts whose day is final, and evaluates hours that changed since their last evaluation, until `signal` is aborted. */
    evaluateDue: (signal?: AbortSignal): Promise<void> =>
      runAs(partOfThis(signal), async () => {
        await each(await store.unsettled(), settle)
        await each(await store.due(), evaluate)
      }),
  }
}

/** When the last of these hours ends, in Pacific time. */
const endOf = ({ hours }: HoursOfDay): number => (hours.at(-1)?.hour ?? -1) + 1
