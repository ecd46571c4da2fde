import { generatePath, Link } from 'react-router'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { SeverityBadge } from '../../ui/alert/AlertBadges.tsx'
import { outcomeOf } from './outcome.ts'
import { type Level, ReportSection } from './ReportSection.tsx'
import { Breakable } from '../../ui/alert/Breakable.tsx'

type Advanced = NonNullable<PeriodicReport['advanced']>
type ReportAlertsProps = Pick<Advanced, 'alerts' | 'alertCount'> & { isOwn: boolean; level: Level }

/** Alerts in the period, and their state now. */
export function ReportAlerts({ alerts, alertCount, isOwn, level }: ReportAlertsProps) {
  const description =
    alerts.length < alertCount ? `The latest ${formatCount(alerts.length)} of ${formatCount(alertCount)}, and how they ended.` : undefined
  return (
    <ReportSection level={level} title="Alerts" description={description}>
      {alerts.length === 0 ? (
        <p className="text-muted">No alerts for this period.</p>
      ) : (
        <ul aria-label="Alerts" className="divide-y divide-line text-sm">
          {alerts.map((alert) => (
            <li key={alert.id} className="flex flex-wrap items-start gap-x-4 gap-y-1.5 py-3 first:pt-0 last:pb-0 print:break-inside-avoid">
              <span className="w-24 shrink-0">
                <SeverityBadge severity={alert.severity} />
              </span>
              <span className="min-w-0 grow basis-60 wrap-anywhere">
                {isOwn ? (
                  <Link
                    to={generatePath(paths.alertReport, { id: alert.id })}
                    // Above its neighbors: the touch target is taller than the line, and overlaps theirs.
                    className="relative -my-2.5 inline-block py-2.5 font-medium text-brand hover:underline lg:pointer-fine:my-0 lg:pointer-fine:py-0 print:text-text"
                  >
                    <Breakable text={alert.title} />
                  </Link>
                ) : (
                  <span className="font-medium">
                    <Breakable text={alert.title} />
                  </span>
                )}
                {alert.why !== null && <span className="mt-1 block text-muted">{alert.why}</span>}
              </span>
              <span className="text-muted">
                {formatDay(alert.day ?? alert.openedAt.slice(0, 10), true)} · {outcomeOf(alert)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </ReportSection>
  )
}
