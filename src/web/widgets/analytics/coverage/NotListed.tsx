import { CalendarX2 } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { askingFor, periodView, rangeIn } from '../period-view.ts'
import { useView } from '../use-view.ts'

/** Instead of a list whose days aren't stored; `children` says why. */
export function NotListed({ of, children }: { of?: 'page' | 'keyword'; children: string }) {
  const [view, show] = useView(periodView)
  return (
    <EmptyState
      icon={<CalendarX2 aria-hidden />}
      title={`No ${of === undefined ? '' : `${of} `}data for these days`}
      actions={rangeIn(view) !== '7d' && <Button onClick={() => show(askingFor({ range: '7d' }))}>Show last 7 days</Button>}
    >
      {children}
    </EmptyState>
  )
}
