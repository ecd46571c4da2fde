import { Check } from 'lucide-react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import type { Selection } from './use-selection.ts'

type AlertsBarProps = {
  /** How many alerts there are; undefined until that is known. */
  count: number | undefined
  selection: Selection
  openOnly: boolean
  onOpenOnly: (openOnly: boolean) => void
  onAcknowledge: () => void
}

/** What is above the alerts: how many there are, which of them, and what to do with those chosen. */
export function AlertsBar({ count, selection, openOnly, onOpenOnly, onAcknowledge }: AlertsBarProps) {
  const { chosen, possible, chooseAll } = selection
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1">
      <Checkbox
        label="Select all"
        checked={possible > 0 && chosen.length === possible}
        mixed={chosen.length > 0 && chosen.length < possible}
        disabled={possible === 0}
        onChange={(event) => chooseAll(event.currentTarget.checked)}
      />
      {chosen.length > 0 && (
        <Button variant="primary" onClick={onAcknowledge}>
          <Check aria-hidden />
          {chosen.length === 1 ? 'Acknowledge 1 alert' : `Acknowledge ${formatCount(chosen.length)} alerts`}
        </Button>
      )}
      <div className="ml-auto flex items-center gap-5">
        {count !== undefined && (
          <output className="text-muted tabular-nums">
            {formatCount(count)} {count === 1 ? 'alert' : 'alerts'}
          </output>
        )}
        <Checkbox label="Open only" checked={openOnly} onChange={(event) => onOpenOnly(event.currentTarget.checked)} />
      </div>
    </div>
  )
}
