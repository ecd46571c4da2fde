import { Check, X } from 'lucide-react'
import { formatCount } from '../../lib/format.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import type { Selection } from './use-selection.ts'

/** What to do with the alerts that are chosen: below them, and in sight however far down they are. */
export function ChosenBar({ selection: { chosen, chooseAll }, onAcknowledge }: { selection: Selection; onAcknowledge: () => void }) {
  if (chosen.length === 0) return null
  return (
    <div className="pointer-events-none sticky bottom-4 z-10 mt-4 flex justify-center">
      <div className="pointer-events-auto flex items-center gap-1 rounded-card border border-line bg-surface p-2 shadow-float">
        <Button variant="primary" onClick={onAcknowledge}>
          <Check aria-hidden />
          {chosen.length === 1 ? 'Acknowledge 1 alert' : `Acknowledge ${formatCount(chosen.length)} alerts`}
        </Button>
        <IconButton aria-label="Clear selection" onClick={() => chooseAll(false)}>
          <X aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}
