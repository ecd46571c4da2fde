import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import type { PeriodicReport, ReportKind } from '../../contract/reports/periodic.ts'
import { reportPeriodOf } from '../../core/analytics/report-periods.ts'
import { advancedReportingRefusal } from '../../core/billing/entitlements.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import { Refusal } from '../common/errors.ts'
import { type CompleteProperty, isComplete, type AnalyticsService } from '../analytics/service.ts'

/** Alerts that a report tells; of more it says how many they are. */
const mostAlerts = 50

export type PeriodicReportsDeps = { analytics: AnalyticsService; annotations: AnnotationsService; alerts: AlertsService }

/** Who reads a report: its owner, on their own screens, or anybody else, by link, as PDF or by mail. */
export type Readers = 'owner' | 'others'

/** What a report on a week or month of a property says: figures, what happened, and what became of its alerts. */
export function createPeriodicReports({ analytics, annotations, alerts }: PeriodicReportsDeps) {
  async function advanced(person: Pick<Person, 'id'>, property: CompleteProperty, kind: ReportKind, period: Period) {
    const [opportunities, { alerts: told, count }] = await Promise.all([
      analytics.periodic.opportunities(property, kind, period),
      alerts.during(person.id, property.id, period, mostAlerts),
    ])
    return { opportunities, alerts: told, alertCount: count }
  }

  async function periods(property: ReportProperty, kind: ReportKind): Promise<Period[]> {
    return isComplete(property) ? analytics.periodic.periods(property, kind) : []
  }

  return {
    /** The weeks or months that can be reported on, the latest first. */
    periods,

    /** Whether the one that begins on `start` need not be waited for. */
    isComplete: async (property: ReportProperty, kind: ReportKind, start: IsoDate): Promise<boolean> =>
      isComplete(property) && analytics.periodic.isComplete(property, kind, start),

    /**
     * Of the latest complete week or month, or of the one that begins on `start`; basic on a plan that has no more. Null
     * while none is complete. `property` is one of this person's. What is for others has only notes that may leave the account.
     * @throws Refusal 400 when none begins on `start`, 404 when that one is not complete
     */
    async report(
      person: Pick<Person, 'id' | 'plan'>,
      property: ReportProperty,
      { kind, start }: { kind: ReportKind; start?: IsoDate | undefined },
      notesFor: Readers = 'owner',
    ): Promise<PeriodicReport | null> {
      if (start !== undefined && reportPeriodOf(kind, start).start !== start) throw noStart(kind, start)
      const known = await periods(property, kind)
      const period = start === undefined ? known[0] : known.find((each) => each.start === start)
      if (!period && start !== undefined) throw notComplete(kind, start)
      if (!period || !isComplete(property)) return null

      const locked = advancedReportingRefusal(person.plan)
      const [{ pages, keywords, ...figures }, notes, more] = await Promise.all([
        analytics.periodic.figures(property, kind, period),
        notesFor === 'owner'
          ? annotations.ofProperty(person.id, property.id, period)
          : annotations.forOthers(person.id, property.id, period),
        locked === null ? advanced(person, property, kind, period) : null,
      ])
      const shown = ({ count, top, stored, compared }: typeof pages) => ({ count, top, stored, compared })
      const moved = ({ rising, falling }: typeof pages) => ({ rising, falling })
      return {
        property: property.name,
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
    `There's no report for the ${kind} of ${start}: it's incomplete, or it's before the first data. Choose another ${kind}.`,
    'start',
  )
