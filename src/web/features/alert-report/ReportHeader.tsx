import { Check, Clock, ExternalLink, SlidersHorizontal } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { Link, generatePath, useNavigate } from 'react-router'
import type { AlertEnd, AlertHours, AlertReport } from '../../../contract/alerts/alerts.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { foundBy } from '../../../core/alerting/copy.ts'
import { levelText } from '../../../core/alerting/ending.ts'
import { canAcknowledge, canSnooze } from '../../lib/alert/alert-life.ts'
import { listKeys } from '../../lib/hooks/shortcut-keys.ts'
import { isTyping, useKeydown } from '../../lib/hooks/use-keydown.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSelectProperty } from '../../shell/properties.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { FixLink } from '../../ui/FixLink.tsx'
import { SeverityBadge, StateBadge } from '../../ui/alert/AlertBadges.tsx'
import { AlertMarkup } from '../../ui/alert/AlertMarkup.tsx'
import { Breakable } from '../../ui/alert/Breakable.tsx'
import { SearchConsoleLink } from '../../widgets/AlertLinks.tsx'
import { SnoozeMenu } from '../../widgets/SnoozeMenu.tsx'
import { VerdictButtons } from '../../widgets/VerdictButtons.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { AtMoment } from './AtMoment.tsx'
import { worseByHours } from './copy.ts'

export function ReportHeader({ alert, now }: { alert: AlertReport; now: Date }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const worse = worseByHours(alert)
  return (
    <header>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <SeverityBadge severity={alert.severity} />
        {alert.state === 'firing' ? <Badge>Open</Badge> : <StateBadge alert={alert} now={now} />}
        {alert.hours && <HoursBadge hours={alert.hours} isOver={alert.state === 'recovered'} />}
        <span className="text-sm text-muted">
          Opened: <AtMoment at={alert.timestamp} now={now} />
        </span>
      </div>
      <h1 ref={heading} tabIndex={-1} className="mt-2.5 line-clamp-4 text-title font-semibold wrap-anywhere">
        <Breakable text={alert.title} />
      </h1>
      <p className="mt-1 max-w-[90ch] wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
        <AlertMarkup markup={alert.description} />
      </p>
      {worse !== null && <p className="mt-2 max-w-[90ch] font-medium">{worse}</p>}
      {alert.ended && <HowItEnded type={alert.type} ended={alert.ended} />}
      {alert.why !== undefined && alert.why !== '' && (
        <p className="mt-2 max-w-[90ch] wrap-anywhere [&_code]:font-sans [&_code]:font-medium">
          <AlertMarkup markup={alert.why} />
        </p>
      )}
      <p className="mt-1 text-sm wrap-anywhere text-muted">Property: {propertyName(alert.target)}</p>
      {alert.rules.length > 1 && <p className="mt-1 text-sm wrap-anywhere text-muted">{foundBy(alert.rules.map(({ title }) => title))}</p>}
      {alert.partOf !== undefined && (
        <p className="mt-1 text-sm text-muted">
          This is part of{' '}
          <Link to={generatePath(paths.alertReport, { id: alert.partOf })} className="font-medium text-brand hover:underline">
            another alert
          </Link>{' '}
          with the same cause.
        </p>
      )}
      <Actions alert={alert} heading={heading} />
    </header>
  )
}

/** That it is based on hours, and the final day's verdict on them; a withdrawal shows in the alert's state instead. */
function HoursBadge({ hours: { status }, isOver }: { hours: AlertHours; isOver: boolean }) {
  if (status === 'confirmed') return <Badge icon={<Clock aria-hidden />}>Hourly, confirmed</Badge>
  return status === 'preliminary' && !isOver ? <Badge icon={<Clock aria-hidden />}>Preliminary</Badge> : null
}

/** What the badge doesn't say: that the metric didn't come back, and where it is now. */
function HowItEnded({ type, ended: { as, level } }: { type: AlertReport['type']; ended: AlertEnd }) {
  if (as === 'revised') return <p className="mt-2 max-w-[90ch]">Google revised the data, so this is no longer unusual.</p>
  if (as !== 'settled') return null
  return <p className="mt-2 max-w-[90ch]">Settled at a new level{level && `: ${levelText(type, level)}`}.</p>
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
    // The button disappears, but the focus must not.
    heading.current?.focus()
  }
  return (
    <div className="mt-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      {action !== null && (
        <div className="col-span-2 grid">
          <FixLink {...action} />
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
      {/* A finding is rated together with its alert. */}
      {alert.partOf === undefined && <VerdictButtons alert={alert} actions={actions} />}
      {/* Reading this means having viewed it. */}
      <SearchConsoleLink alert={alert} onView={() => {}} className={buttonClass('secondary')}>
        View in GSC
        <ExternalLink aria-hidden className="text-muted" />
      </SearchConsoleLink>
      {conditionId !== null && <EditRule rule={conditionId} property={alert.target} />}
    </div>
  )
}

/** Runs an action when a key is pressed alone, but not while somebody is typing. */
function useKey(key: string, onPress: () => void): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return
    if (event.key === key) onPress()
  })
}

/** Opens the rule in its property's list, selecting that property if necessary: only its rules are shown. */
function EditRule({ rule, property }: { rule: string; property: string }) {
  const { selectedProperty } = useCurrentUser()
  const navigate = useNavigate()
  const selecting = useSelectProperty()
  const address = `${paths.alertSettings}?${new URLSearchParams({ rule })}`
  const content = (
    <>
      <SlidersHorizontal aria-hidden className="text-muted" />
      Edit rule
    </>
  )
  if (property === selectedProperty) {
    return (
      <Link to={address} className={buttonClass('secondary')}>
        {content}
      </Link>
    )
  }
  return (
    <Button disabled={selecting.isPending} onClick={() => selecting.mutate(property, { onSuccess: () => void navigate(address) })}>
      {content}
    </Button>
  )
}
