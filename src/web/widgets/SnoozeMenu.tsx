import { AlarmClock, AlarmClockOff, CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { daysLater } from '../lib/alert/snooze.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Menu } from '../ui/overlay/Menu.tsx'
import type { MenuEntry } from '../ui/overlay/menu-entry.ts'

const SnoozeDateDialog = lazy(async () => ({ default: (await import('./SnoozeDateDialog.tsx')).SnoozeDateDialog }))

type SnoozeMenuProps = {
  alert: Alert
  onSnooze: (until: Date) => void
  /** Offered for a snoozed alert. */
  onUnsnooze?: () => void
  triggerClass?: string
  /** Just its icon. */
  compact?: boolean
}

/** Choices for snoozing an alert: a day, a week or until some date. */
export function SnoozeMenu({ alert, onSnooze, onUnsnooze, triggerClass = buttonClass('secondary'), compact = false }: SnoozeMenuProps) {
  const [choosing, setChoosing] = useState(false)
  const icon = <AlarmClock aria-hidden />
  const entries: MenuEntry[] = [
    { kind: 'action', label: '1 day', icon, onSelect: () => onSnooze(daysLater(new Date(), 1)) },
    { kind: 'action', label: '1 week', icon, onSelect: () => onSnooze(daysLater(new Date(), 7)) },
    { kind: 'action', label: 'Until a date…', icon: <CalendarDays aria-hidden />, onSelect: () => setChoosing(true) },
  ]
  if (alert.state === 'snoozed' && onUnsnooze) {
    entries.push({ kind: 'action', label: 'End snooze', icon: <AlarmClockOff aria-hidden />, separated: true, onSelect: onUnsnooze })
  }
  return (
    <>
      <Menu
        label={`Snooze: ${alert.title}`}
        triggerClass={triggerClass}
        trigger={
          <>
            {icon}
            {!compact && 'Snooze'}
          </>
        }
        entries={entries}
      />
      {choosing && (
        <Suspense>
          <SnoozeDateDialog title={alert.title} onSnooze={onSnooze} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  )
}
