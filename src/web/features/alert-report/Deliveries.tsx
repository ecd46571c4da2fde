import { CircleCheck, CircleSlash, CircleX, Clock, Hash, Mail, Smartphone, Webhook, type LucideIcon } from 'lucide-react'
import { generatePath, Link } from 'react-router'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { AtMoment } from './AtMoment.tsx'

type Delivery = AlertReport['deliveries'][number]

const channels: Record<Delivery['channel'], { word: string; Icon: LucideIcon }> = {
  email: { word: 'Email', Icon: Mail },
  slack: { word: 'Slack', Icon: Hash },
  sms: { word: 'SMS', Icon: Smartphone },
  webhook: { word: 'Webhook', Icon: Webhook },
}
const events: Record<Delivery['event'], string> = {
  opened: 'Alert opened',
  recovered: 'Alert ended',
  woken: 'Snooze ended',
  worsened: 'Got worse',
}
const states: Record<Delivery['state'], { word: string; tone: 'positive' | 'unknown' | 'critical'; Icon: LucideIcon }> = {
  sent: { word: 'Sent', tone: 'positive', Icon: CircleCheck },
  waiting: { word: 'Waiting', tone: 'unknown', Icon: Clock },
  failed: { word: 'Failed', tone: 'critical', Icon: CircleX },
  suppressed: { word: 'Not sent', tone: 'unknown', Icon: CircleSlash },
}

/** Messages about an alert and their recipients, plus those not sent and why. */
export function Deliveries({ report, now }: { report: AlertReport; now: Date }) {
  const { deliveries, deliveriesCut, ended, partOf } = report
  const isRecovered = ended === undefined || ended.as === 'recovered'
  return (
    <SectionCard title="Notifications">
      {deliveriesCut && <p className="mb-4 text-muted">Only the latest notifications are shown.</p>}
      {deliveries.length === 0 && partOf !== undefined ? (
        <p className="text-muted">
          Notifications are sent for{' '}
          <Link to={generatePath(paths.alertReport, { id: partOf })} className="font-medium text-brand hover:underline">
            the main alert
          </Link>
          .
        </p>
      ) : deliveries.length === 0 ? (
        <div className="text-muted">
          <p>No notification was sent because no channel for this kind of alert was on when it opened.</p>
          <p className="mt-3">
            <Link to={paths.alertSettings} className="font-medium text-brand hover:underline">
              Set up notifications
            </Link>
          </p>
        </div>
      ) : (
        <ul aria-label="Notifications" className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <Message key={`${delivery.channel} ${delivery.event} ${delivery.at}`} delivery={delivery} isRecovered={isRecovered} now={now} />
          ))}
        </ul>
      )}
    </SectionCard>
  )
}

type MessageProps = { delivery: Delivery; isRecovered: boolean; now: Date }

function Message({ delivery: { channel, event, inDigest, state, to, at, detail }, isRecovered, now }: MessageProps) {
  const { word, Icon } = channels[channel]
  const { word: stateWord, tone, Icon: StateIcon } = states[state]
  return (
    <li className="flex gap-3 py-3.5 first:pt-0 last:pb-0">
      <Icon aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p className="min-w-0 wrap-anywhere">
            <span className="font-medium">{word}</span>
            {to !== null && ` to ${to}`}
          </p>
          <Badge tone={tone} icon={<StateIcon aria-hidden />}>
            {stateWord}
          </Badge>
        </div>
        <p className="text-muted">
          {event === 'recovered' && isRecovered ? 'Alert recovered' : events[event]}
          {inDigest && ', in a digest'}
          {at !== null && (
            <>
              {' · '}
              <AtMoment at={at} now={now} />
            </>
          )}
        </p>
        {detail !== null && <p className="mt-0.5 text-sm wrap-anywhere text-muted">{detail}</p>}
      </div>
    </li>
  )
}
