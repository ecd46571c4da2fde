import { filtersOf } from './subjects.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import { severityRank } from '../../contract/alerts/alerts.ts'
import type { PeriodAlert, PeriodicReport, ReportKind } from '../../contract/reports/periodic.ts'
import { plainText } from '../../core/alerting/copy.ts'
import { reportPeriodOf } from '../../core/analytics/report-periods.ts'
import { advancedReportingRefusal } from '../../core/billing/entitlements.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import { Refusal } from '../common/errors.ts'
import type { StoredSegment } from '../database/annotation-tables.ts'
import { type CompleteProperty, isComplete, type AnalyticsService } from '../analytics/service.ts'

/** Alerts listed in a report; further ones are just counted. */
const mostAlerts = 50
/** Of these, the ones explained: each asks the store for its pages, queries, devices and countries. */
const mostExplained = 5

export type PeriodicReportsDeps = { analytics: AnalyticsService; annotations: AnnotationsService; alerts: AlertsService }

/** A report's readers: its owner, on their own screens, or anybody else, by link, PDF or email. */
export type Readers = 'owner' | 'others'

/** A property's report on a week or month: figures, events, and the state of its alerts. */
export function createPeriodicReports({ analytics, annotations, alerts }: PeriodicReportsDeps) {
  async function advanced(
    person: Pick<Person, 'id'>,
    property: CompleteProperty,
    { kind, period, segment }: { kind: ReportKind; period: Period; segment: StoredSegment | null },
    readers: Readers,
  ) {
    const [opportunities, { alerts: periodAlerts, count }] = await Promise.all([
      analytics.periodic.opportunities(property, kind, period, filtersOf(segment)),
      alerts.during(person.id, property.id, { period, segment }, mostAlerts, readers),
    ])
    return { opportunities, alerts: await withReasons(periodAlerts), alertCount: count }
  }

  /** Explains the most severe alerts, from the data as it is now. */
  async function withReasons(periodAlerts: readonly PeriodAlert[]): Promise<PeriodAlert[]> {
    const gravest = periodAlerts.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity)).slice(0, mostExplained)
    const reasons = await alerts.explain(gravest.map(({ id }) => id))
    return periodAlerts.map((alert) => {
      const why = reasons.get(alert.id)?.why
      return why ? { ...alert, why: plainText(why) } : alert
    })
  }

  async function periods(property: ReportProperty, kind: ReportKind): Promise<Period[]> {
    return isComplete(property) ? analytics.periodic.periods(property, kind) : []
  }

  return {
    /** The weeks or months available for reports, latest first. */
    periods,

    /** The properties for which nothing more is expected for a week or month. */
    completeAmong: (properties: readonly ReportProperty[], period: Period): Promise<ReadonlySet<number>> =>
      analytics.periodic.completeAmong(properties.filter(isComplete), period),

    /**
     * The latest complete week or month, or the one that begins on `start`; basic if the plan includes no more. Null while none is
     * complete. `property` belongs to this person. Others only see notes and names of segments that may leave the account.
     * @throws Refusal 400 if none begins on `start`, 404 if that one is incomplete
     */
    async report(
      person: Pick<Person, 'id' | 'plan'>,
      property: ReportProperty,
      { kind, start, segment = null }: { kind: ReportKind; start?: IsoDate | undefined; segment?: StoredSegment | null },
      readers: Readers = 'owner',
    ): Promise<PeriodicReport | null> {
      if (start !== undefined && reportPeriodOf(kind, start).start !== start) throw noStart(kind, start)
      const known = await periods(property, kind)
      const period = start === undefined ? known[0] : known.find((each) => each.start === start)
      if (!period && start !== undefined) throw notComplete(kind, start)
      if (!period || !isComplete(property)) return null

      const locked = advancedReportingRefusal(person.plan)
      const [{ pages, keywords, ...figures }, notes, more] = await Promise.all([
        analytics.periodic.figures(property, kind, period, filtersOf(segment)),
        readers === 'owner'
          ? annotations.ofProperty(person.id, property.id, period)
          : annotations.forOthers(person.id, property.id, period),
        locked === null ? advanced(person, property, { kind, period, segment }, readers) : null,
      ])
      const shown = ({ count, top, stored, compared }: typeof pages) => ({ count, top, stored, compared })
      const moved = ({ rising, falling }: typeof pages) => ({ rising, falling })
      return {
        property: property.name,
        ...(segment && { segment: segment.name }),
        kind,
        period,
        completeThrough: property.completeThrough,
        ...figures,
        annotations: notes,
        pages: shown(pages),
        keywords: shown(keywords),
        advanced: more && { pages: moved(pages), keywords: moved(keywords), ...more },
        advancedLocked: locked,
      }
    },
  }
}
export type PeriodicReports = ReturnType<typeof createPeriodicReports>

const noStart = (kind: ReportKind, start: IsoDate): Refusal =>
  new Refusal(
    400,
    kind === 'week'
      ? `A week starts on a Monday. ${start} is not a Monday.`
      : `A month starts on its first day. ${start} is not the first of a month.`,
    'start',
  )

const notComplete = (kind: ReportKind, start: IsoDate): Refusal =>
  new Refusal(
    404,
    `There's no report for the ${kind} of ${start}: it's incomplete, or it's before your data starts. Choose another ${kind}.`,
    'start',
  )
