import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { alertVerdict, type Alert, type AlertVerdict } from '../../contract/alerts/alerts.ts'
import { verdictLabels } from '../../core/alerting/copy.ts'
import { canRate } from '../lib/alert/alert-life.ts'
import { buttonClass, iconButtonClass } from '../ui/Button.tsx'
import type { AlertActions } from './use-alert-actions.ts'

const icons = { useful: ThumbsUp, noise: ThumbsDown }

type VerdictButtonsProps = {
  alert: Alert
  actions: Pick<AlertActions, 'rate'>
  /** Without words, for lack of room. */ compact?: boolean
}

/** Buttons to rate an alert. Pressing the same button again removes the rating. */
export function VerdictButtons({ alert, actions, compact = false }: VerdictButtonsProps) {
  if (!canRate(alert)) return null
  const press = (verdict: AlertVerdict) => actions.rate(alert.id, alert.verdict === verdict ? null : verdict)
  return alertVerdict.options.map((verdict) => {
    const Icon = icons[verdict]
    const isPressed = alert.verdict === verdict
    const look = isPressed ? 'bg-brand-soft! text-brand!' : 'text-muted!'
    return (
      <button
        key={verdict}
        type="button"
        aria-pressed={isPressed}
        aria-label={`${verdictLabels[verdict]}: ${alert.title}`}
        title={compact ? verdictLabels[verdict] : undefined}
        className={compact ? iconButtonClass(look) : buttonClass('secondary', `px-2.5! ${isPressed ? look : ''}`)}
        onClick={() => press(verdict)}
      >
        <Icon aria-hidden />
        {!compact && verdictLabels[verdict]}
      </button>
    )
  })
}
