import { useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import type { ReportKind } from '../../../../contract/periodic-reports.ts'
import { syncQuery } from '../../../api/sync.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { firstReport } from './first-report.ts'

/** In the place of the report while no week or month is whole: when the first one will be. */
export function NoReport({ property, kind }: { property: string; kind: ReportKind }) {
  const { data: status } = useQuery(syncQuery(property))
  const now = useNow()
  return (
    <Card>
      <EmptyState icon={<CalendarClock aria-hidden />} title={`No complete ${kind} yet`}>
        <p className="min-h-10">{status !== undefined && firstReport(kind, status, now)}</p>
      </EmptyState>
    </Card>
  )
}
