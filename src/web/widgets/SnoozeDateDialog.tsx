import { useState } from 'react'
import { morningOf, snoozeDays } from '../lib/alert/snooze.ts'
import { Calendar } from '../ui/form/Calendar.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'

type SnoozeDateDialogProps = { title: string; onSnooze: (until: Date) => void; onClose: () => void }

export function SnoozeDateDialog({ title, onSnooze, onClose }: SnoozeDateDialogProps) {
  const [span] = useState(() => snoozeDays(new Date()))
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Snooze until a date"
      description={
        <>
          <span className="block font-medium wrap-anywhere text-text">{title}</span>
          The alert reopens at 8:00 on the day you choose, unless it recovers first.
        </>
      }
    >
      <div className="flex justify-center">
        <Calendar
          span={span}
          selected={null}
          initial={span.start}
          onPick={(day) => {
            onSnooze(morningOf(day))
            onClose()
          }}
        />
      </div>
    </Dialog>
  )
}
