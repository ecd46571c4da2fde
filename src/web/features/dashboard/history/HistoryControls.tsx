import { useQuery } from '@tanstack/react-query'
import { reportSegmentProblem } from '../../../../core/analytics/exploration.ts'
import { savedQuery } from '../../../api/explore.ts'
import { historyQuery } from '../../../api/analytics.ts'
import { SegmentSelect } from '../../../widgets/analytics/SegmentSelect.tsx'
import { PeriodControls } from '../../../widgets/analytics/PeriodControls.tsx'
import { useHistoryView } from './use-history-view.ts'

/** The chart's days, what they are compared with, and what one of its points represents. */
export function HistoryControls({ property }: { property: string }) {
  const [{ range, compare, grain, segment }, show] = useHistoryView()
  const { data } = useQuery(historyQuery(property, { range, compare, grain, segment }))
  return (
    <>
      <DashboardSegment value={segment} onChange={(chosen) => show({ segment: chosen })} />
      <PeriodControls view={{ range, compare, grain }} onChange={show} days={data} />
    </>
  )
}

type DashboardSegmentProps = { value: string; onChange: (segment: string) => void }

/** The segment of the figures, the chart and the biggest changes; not shown to people without any, unless one is set. */
function DashboardSegment({ value, onChange }: DashboardSegmentProps) {
  const { data } = useQuery(savedQuery)
  if (value === '' && !data?.some(({ kind }) => kind === 'segment')) return null
  return (
    <div className="w-44 max-sm:w-full">
      <SegmentSelect
        of="date"
        all="Whole site"
        hideLabel
        fits={(where) => reportSegmentProblem(where) === null}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
