import { Check, Clock, ExternalLink } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import { generatePath, Link } from 'react-router'
import type { AlertHours, AlertReport } from '../../../contract/alerts/alerts.ts'
import { paths } from '../../paths.ts'
import { canAcknowledge, canSnooze } from '../../lib/alert/alert-life.ts'
import { listKeys } from '../../lib/hooks/shortcut-keys.ts'
import { SeverityBadge, StateBadge } from '../../ui/alert/AlertBadges.tsx'
import { AlertMarkup } from '../../ui/alert/AlertMarkup.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { MendingLink } from '../../ui/MendingLink.tsx'
import { SearchConsoleLink } from '../../widgets/AlertLinks.tsx'
import { SnoozeMenu } from '../../widgets/SnoozeMenu.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { VerdictButtons } from '../../widgets/VerdictButtons.tsx'
import { AtMoment } from './AtMoment.tsx'
import { EditRule } from './EditRule.tsx'
import { useKey } from './use-key.ts'

export function ReportHeader({ alert, now }: { alert: AlertReport; now: Date }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <header>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <SeverityBadge severity={alert.severity} />
        {alert.state === 'firing' ? <Badge>Open</Badge> : <StateBadge alert={alert} now={now} />}
        {alert.hours && <HoursBadge hours={alert.hours} isOver={alert.state === 'recovered'} />}
        <span className="text-sm text-muted">
          Opened <AtMoment at={alert.timestamp} now={now} />
        </span>
      </div>
      <h1 ref={heading} tabIndex={-1} className="mt-2.5 line-clamp-4 text-title font-semibold wrap-anywhere">
        {alert.title}
      </h1>
      <p className="mt-1 max-w-[90ch] wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
        <AlertMarkup markup={alert.description} />
      </p>
      {alert.why !== undefined && alert.why !== '' && (
        <p className="mt-2 max-w-[90ch] wrap-anywhere [&_code]:font-sans [&_code]:font-medium">
          <AlertMarkup markup={alert.why} />
        </p>
      )}
      <p className="mt-1 text-sm wrap-anywhere text-muted">Property: {alert.target}</p>
      {alert.partOf !== undefined && (
        <p className="mt-1 text-sm text-muted">
          This is part of{' '}
          <Link to={generatePath(paths.alertReport, { id: alert.partOf })} className="font-medium text-brand hover:underline">
            another alert
          </Link>
          , which has the same cause.
        </p>
      )}
      <Actions alert={alert} heading={heading} />
    </header>
  )
}

/** That it rests on hours, and what the final day says of them; that it was withdrawn stands there as what became of it. */
function HoursBadge({ hours: { status }, isOver }: { hours: AlertHours; isOver: boolean }) {
  if (status === 'confirmed') return <Badge icon={<Clock aria-hidden />}>Hourly, confirmed</Badge>
  return status === 'preliminary' && !isOver ? <Badge icon={<Clock aria-hidden />}>Preliminary</Badge> : null
}

function Actions({ alert, heading }: { alert: AlertReport; heading: RefObject<HTMLElement | null> }) {
  const { id, action, conditionId } = alert
  const actions = useAlertActions()
  const acknowledge = () => {
    if (canAcknowledge(alert)) actions.acknowledge([id])
  }
  useKey(listKeys.acknowledge, acknowledge)
  const onPress = () => {
    acknowledge()
    // The button goes, and the focus must not go with it.
    heading.current?.focus()
  }
  return (
    <div className="mt-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      {action !== null && (
        <div className="col-span-2 grid">
          <MendingLink {...action} />
        </div>
      )}
      {canAcknowledge(alert) && (
        <Button variant="primary" aria-keyshortcuts="e" title="Acknowledge (e)" onClick={onPress}>
          <Check aria-hidden />
          Acknowledge
        </Button>
      )}
      {canSnooze(alert) && (
        <SnoozeMenu alert={alert} onSnooze={(until) => actions.snooze(id, until)} onUnsnooze={() => actions.unsnooze(id)} />
      )}
      {/* A finding is rated with its alert. */}
      {alert.partOf === undefined && <VerdictButtons alert={alert} actions={actions} />}
      {/* Whoever reads this has viewed it. */}
      <SearchConsoleLink alert={alert} onView={() => {}} className={buttonClass('secondary')}>
        View in GSC
        <ExternalLink aria-hidden className="text-muted" />
      </SearchConsoleLink>
      {conditionId !== null && <EditRule rule={conditionId} property={alert.target} />}
    </div>
  )
}
