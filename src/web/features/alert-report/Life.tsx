import { AlarmClock, AlarmClockOff, BadgeCheck, BellRing, Check, CircleCheck, Eye, type LucideIcon, ThumbsUp } from 'lucide-react'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { formatUntil } from '../../lib/dates.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { AtMoment } from './AtMoment.tsx'
import { type LifeEvent, lifeOf } from './life-words.ts'

const icons: Record<LifeEvent['kind'], LucideIcon> = {
  opened: BellRing,
  viewed: Eye,
  acknowledged: Check,
  snoozed: AlarmClock,
  woken: AlarmClockOff,
  confirmed: BadgeCheck,
  rated: ThumbsUp,
  ended: CircleCheck,
}

/** Who did what when, and what happened by itself. */
export function Life({ report, now }: { report: AlertReport; now: Date }) {
  const { username } = useCurrentUser()
  const events = lifeOf(report, username)
  const lastSnooze = events.findLastIndex(({ kind }) => kind === 'snoozed')
  return (
    <SectionCard title="Timeline">
      {report.timelineCut && <p className="mb-4 text-muted">Only the latest events are shown.</p>}
      <ol aria-label="Timeline" className="flex flex-col">
        {events.map(({ kind, at, title, text, by }, index) => {
          const Icon = icons[kind]
          const until = index === lastSnooze ? report.snoozedUntil : null
          return (
            // The line from one icon to the next.
            <li
              key={`${at} ${kind}`}
              className="relative flex gap-3 pb-5 before:absolute before:top-8 before:bottom-0 before:left-3.75 before:w-px before:bg-line last:pb-0 last:before:hidden"
            >
              <span className="grid size-8 shrink-0 place-items-center rounded-full border border-line bg-surface text-muted">
                <Icon aria-hidden className="size-4" />
              </span>
              <div className="min-w-0 pt-1.5">
                <p>
                  <span className="font-medium">{title}</span>
                  {until !== null && ` until ${formatUntil(new Date(until), now)}`}
                  {by !== null && <span className="wrap-anywhere"> by {by}</span>}
                </p>
                {text !== null && <p className="text-muted">{text}</p>}
                <p className="text-sm text-muted">
                  <AtMoment at={at} now={now} />
                </p>
              </div>
            </li>
          )
        })}
      </ol>
    </SectionCard>
  )
}
