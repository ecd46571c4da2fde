import type { Alert } from '../../../contract/alerts/alerts.ts'
import { alertChange } from '../../lib/alert/alert-view.ts'
import { useColorBy } from '../../lib/color-by.ts'
import { ChangeMark } from '../ChangeMark.tsx'

/** How much an alert's figure changed, and since when; nothing if unknown (SPEC §9). `isShort`: on hover since when. */
export function AlertChange({ alert, isShort = false }: { alert: Alert; isShort?: boolean }) {
  const change = alertChange(alert, useColorBy())
  if (change === null) return null
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 tabular-nums" {...(isShort && { title: change.base })}>
      <ChangeMark change={change} /> <span className={isShort ? 'sr-only' : 'text-muted'}>{change.base}</span>
    </span>
  )
}
