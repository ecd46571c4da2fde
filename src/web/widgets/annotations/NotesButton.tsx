import { NotebookPen } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { SearchType } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { Spinner } from '../../ui/Spinner.tsx'

// Its form isn't part of the first screen.
const NotesPanel = lazy(async () => ({ default: (await import('./NotesPanel.tsx')).NotesPanel }))

type NotesButtonProps = {
  property: string
  searchType?: SearchType | undefined
  /** The title of the chart next to it. */
  of: string
  /** The days of that chart. */
  days: Period
}

/** Next to a chart's table button: what happened on its days, and writing, changing and deleting one's own notes. */
export function NotesButton({ property, searchType, of, days }: NotesButtonProps) {
  return (
    <Popover label={`Notes: ${of}`} title="Notes" triggerClass={iconButtonClass('text-muted!')} trigger={<NotebookPen aria-hidden />}>
      {/* As wide while loading as with notes: it stays where it opens. */}
      <div className="w-80 max-w-full">
        <Suspense fallback={<Spinner label="Loading notes" />}>
          <NotesPanel property={property} searchType={searchType} days={days} />
        </Suspense>
      </div>
    </Popover>
  )
}
