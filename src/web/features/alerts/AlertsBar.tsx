import { formatCount } from '../../lib/format.ts'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import type { Selection } from './use-selection.ts'

type AlertsBarProps = {
  /** How many alerts there are; undefined until that is known. */
  count: number | undefined
  selection: Selection
  openOnly: boolean
  onOpenOnly: (openOnly: boolean) => void
}

/** What is above the alerts: how many there are, and which of them. */
export function AlertsBar({ count, selection: { chosen, possible, chooseAll }, openOnly, onOpenOnly }: AlertsBarProps) {
  return (
    <div className="mb-3 flex min-h-10 items-center justify-between gap-x-5">
      {possible > 0 && (
        <Checkbox
          label="Select all"
          checked={chosen.length === possible}
          mixed={chosen.length > 0 && chosen.length < possible}
          onChange={(event) => chooseAll(event.currentTarget.checked)}
        />
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
