import type { Alert, AlertReport, AlertVerdict, EvaluateAnswer } from '../../contract/alerts/alerts.ts'
import type { VerdictByLink } from '../../contract/alerts/verdict-link.ts'
import type { Period } from '../../contract/metrics.ts'
import type { PeriodAlert } from '../../contract/reports/periodic.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import type { Offer } from '../../core/billing/offer.ts'
import type { ReportProperty } from '../accounts/service.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import { Refusal } from '../common/errors.ts'
import { eachStep } from '../common/each-step.ts'
import type { EventBus } from '../common/events.ts'
import { createHolidayCountries } from '../common/holiday-countries.ts'
import type { CsvFile } from '../common/send-file.ts'
import type { Db } from '../database/open.ts'
import type { StoredSegment } from '../database/annotation-tables.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { forOthers, listViewOf, periodAlertOf, viewOf, wordsOf } from './alert-view.ts'
import { createRuleScopes, rulesLimitedTo } from './rules/scopes.ts'
import { createConnectionAlerts } from './connection-alerts.ts'
import { createEvaluation } from './evaluate.ts'
import { createEvaluationStore } from './evaluation-store.ts'
import { alertsFile } from './export.ts'
import { type MessageAlert, countOpen, type MessageExplanation, messageAlerts, messageExplanations } from './for-messages.ts'
import { historyCsv, historyFileName } from './history-csv.ts'
import { createHourlyStore } from './hours/hourly-store.ts'
import { createHourlyEvaluation } from './hours/hourly.ts'
import { type AlertRow, type AlertsFilter, type AlertsPage, createAlertsStore, notYours } from './incidents/alerts-store.ts'
import { createVerdicts, type AlertToRate, type VerdictSource } from './incidents/verdicts.ts'
import { createPropertyLocks } from './locks.ts'
import { createReport } from './report.ts'
import { createConditionsStore } from './rules/conditions-store.ts'
import { createConditions } from './rules/conditions.ts'
import { createHolidayCountryOf } from './rules/holiday-country.ts'
import { createBacktests } from './rules/backtests.ts'
import { endUnmonitored } from './rules/unmonitored.ts'
import { createBaselines } from './unusual/baselines.ts'
import { wakeAlerts } from './end-snoozes.ts'
import { createContributors } from './why/contributors.ts'
import { createExplanations } from './why/explanations.ts'

export type { MessageAlert, MessageExplanation } from './for-messages.ts'
export type { AlertToRate } from './incidents/verdicts.ts'

export type AlertsDeps = {
  db: Db
  facts: FactsStore
  analytics: Pick<AnalyticsService, 'breakdown' | 'rateBreakdown' | 'within'>
  annotations: Pick<AnnotationsService, 'ofProperty' | 'forOthers'>
  events: EventBus
  offer: Offer
  clock: Clock
  log: Log
  /** The latest messages about an alert, newest first. Injected, because delivery depends on alerts, not the other way around. */
  deliveries: (alertId: string, limit: number) => Promise<AlertReport['deliveries']>
}

const longestSnoozeMs = 366 * 24 * 3_600_000

export function createAlertsService(deps: AlertsDeps) {
  const { db, facts, events, clock } = deps
  const store = createAlertsStore(db)
  const conditionsStore = createConditionsStore(db)
  const locks = createPropertyLocks(db)
  const evaluationStore = createEvaluationStore(db, events)
  const baselines = createBaselines(db)
  const countries = createHolidayCountries(db, facts)
  const verdicts = createVerdicts(db)
  const scopes = createRuleScopes(db, deps.analytics.within)
  events.on(
    'segmentLeaving',
    async ({ segmentId, transaction, usedBy }) => void usedBy.push(...(await rulesLimitedTo(transaction, segmentId))),
  )
  const evaluation = createEvaluation({ ...deps, countries, scopes, store: evaluationStore, conditions: conditionsStore, baselines, locks })
  const hourly = createHourlyEvaluation({
    ...deps,
    countries,
    store: createHourlyStore(db, events, deps.offer),
    conditions: conditionsStore,
    locks,
  })
  const connections = createConnectionAlerts(db, events, deps.log)
  const explain = createExplanations({
    db,
    facts,
    countries,
    contributors: createContributors(facts, scopes),
    scopes,
    analytics: deps.analytics,
    annotations: deps.annotations,
  })
  const report = createReport({
    explain,
    store,
    scopes,
    facts,
    countries,
    deliveries: deps.deliveries,
  })

  async function oneOf(found: Promise<AlertRow[]>): Promise<Alert> {
    const [row] = await found
    if (!row) throw notYours()
    return viewOf(row)
  }

  return {
    conditions: createConditions({ store: conditionsStore, scopes, verdicts, clock }),

    holidayCountry: createHolidayCountryOf(db, countries, clock),

    ...createBacktests({ db, facts, clock, countries, baselines, scopes, verdicts, conditions: conditionsStore }),

    /**
     * Evaluates the rules of a person's monitored properties, or of one of them, now.
     * @throws Refusal 409 if the property isn't monitored, TooManyRequests
     */
    async evaluate(userId: string, property: ReportProperty | 'all'): Promise<EvaluateAnswer> {
      const monitored = await db
        .selectFrom('properties')
        .where('userId', '=', userId)
        .where('monitored', '=', true)
        .where('detachedAt', 'is', null)
        .select('id')
        .execute()
      const ids = monitored.map(({ id }) => id)
      if (property === 'all') return evaluation.evaluate(userId, ids)
      if (!ids.includes(property.id))
        throw new Refusal(409, `${propertyName(property.name)} isn't monitored. Choose it under Sites first.`, 'property')
      return evaluation.evaluate(userId, [property.id])
    },

    /** A property's stored hours have changed. */
    hoursChanged: hourly.changed,

    /**
     * Does whatever time and new data require: ends snoozes, notes connection problems and their end, evaluates rules. Once `signal` is
     * aborted, the rest stays due.
     */
    async runDue(signal?: AbortSignal): Promise<void> {
      const steps = [
        () => endUnmonitored(db, clock.now()),
        () => wakeAlerts(deps, clock.now()),
        () => connections.check(clock.now()),
        // Hourly alerts are settled before the days are evaluated, which may take them over.
        () => hourly.evaluateDue(signal),
        () => evaluation.evaluateDue(signal),
      ]
      // What fails in one of them must not keep everybody from being alerted.
      await eachStep(steps, signal)
    },

    /** With whole names, for programs. */
    list: async (userId: string, filter: AlertsFilter & AlertsPage): Promise<Alert[]> => (await store.list(userId, filter)).map(viewOf),

    /** With names cut short, for screens. */
    shown: async (userId: string, filter: AlertsFilter & AlertsPage): Promise<Alert[]> =>
      (await store.list(userId, filter)).map(listViewOf),

    count: (userId: string, filter: AlertsFilter): Promise<number> => store.count(userId, filter),

    openByProperty: store.openByProperty,

    /**
     * A property's alerts about any day of a period, latest first, at most `limit`, and their number; with a segment, those of
     * rules limited to the same filters. Others read no segment's name but that of their report.
     */
    async during(
      userId: string,
      propertyId: number,
      asked: { period: Period; segment: StoredSegment | null },
      limit: number,
      readers: 'owner' | 'others',
    ): Promise<{ count: number; alerts: PeriodAlert[] }> {
      const { count, rows } = await store.during(userId, propertyId, asked, limit)
      const shown = readers === 'owner' ? rows : rows.map((row) => forOthers(row, asked.segment?.name ?? null))
      return { count, alerts: shown.map(periodAlertOf) }
    },

    /** All matches as a CSV file, read while it is sent. `name` is the property's, null for all of them. */
    csv: (userId: string, name: string | null, filter: AlertsFilter): CsvFile => ({
      fileName: historyFileName(name, filter, clock.now().toISOString().slice(0, 10)),
      pieces: historyCsv({
        places: (after, limit) => store.places(userId, { ...filter, after }, limit),
        load: (ids) => store.load(userId, ids),
      }),
    }),

    /** @throws Refusal 404 */
    async report(userId: string, id: string): Promise<AlertReport> {
      const [row] = await store.load(userId, [id])
      if (!row) throw notYours()
      return report(row)
    },

    /** Recovered alerts stay recovered. @throws Refusal 404 */
    acknowledge: (userId: string, id: string, trx?: Db): Promise<Alert> => oneOf(store.acknowledge(userId, [id], clock.now(), trx)),

    /** All of them or none. Recovered alerts stay recovered. @throws Refusal 404 if any of them isn't theirs */
    acknowledgeAll: async (userId: string, ids: readonly string[]): Promise<Alert[]> =>
      (await store.acknowledge(userId, ids, clock.now())).map(listViewOf),

    /** All of them or none. @throws Refusal 404 if any of them isn't theirs */
    view: async (userId: string, ids: readonly string[]): Promise<Alert[]> => (await store.view(userId, ids, clock.now())).map(listViewOf),

    /** For one property, or for all with null; returns how many were new. */
    viewAll: (userId: string, propertyId: number | null): Promise<number> => store.viewAll(userId, propertyId, clock.now()),

    /** @throws Refusal 400 for a time in the past or too far off, 404, 409 if it was snoozed too often */
    async snooze(userId: string, id: string, until: Date, trx?: Db): Promise<Alert> {
      const ms = until.getTime() - clock.now().getTime()
      if (ms <= 0) throw new Refusal(400, 'Choose a time in the future.', 'until')
      if (ms > longestSnoozeMs) throw new Refusal(400, 'You can snooze an alert for up to a year.', 'until')
      return oneOf(store.snooze(userId, id, until, clock.now(), trx))
    },

    /** @throws Refusal 404 */
    unsnooze: (userId: string, id: string, trx?: Db): Promise<Alert> => oneOf(store.unsnooze(userId, id, clock.now(), trx)),

    /** Null withdraws a verdict. @throws Refusal 404, 409 for one that can't be rated, or was too often */
    rate: async (of: AlertToRate, verdict: AlertVerdict | null, from: VerdictSource, trx?: Db): Promise<Alert> =>
      oneOf(store.load(of.userId, [await verdicts.give(of, verdict, from, clock.now(), trx)], trx)),

    /** What the holder of an email's link can rate; null if it is gone or never existed. */
    async toBeRated(of: AlertToRate): Promise<VerdictByLink | null> {
      const id = await verdicts.find(of)
      const [row] = id === null ? [] : await store.load(of.userId, [id])
      if (!row) return null
      return { title: wordsOf(row).title, property: row.property, verdict: row.verdict, at: row.verdictAt?.toISOString() ?? null }
    },

    /** Alerts by id, whoever owns them, for messages to their owners. */
    forMessages: (ids: readonly string[], trx: Db = db): Promise<MessageAlert[]> => messageAlerts(trx, ids),

    /** Explanations of alerts, as far as they may leave the account, by id, whoever owns them. */
    explain: (ids: readonly string[]): Promise<Map<string, MessageExplanation>> => messageExplanations(db, explain, ids),

    /** The number of open alerts by property. */
    openCounts: (propertyIds: readonly number[], trx: Db = db): Promise<Map<number, number>> => countOpen(trx, propertyIds),

    /** A person's rules and alerts, for their export. */
    exportOf: (userId: string) => alertsFile(db, userId),
  }
}
export type AlertsService = ReturnType<typeof createAlertsService>
