import { useQuery } from '@tanstack/react-query'
import { type Filter, readFilters } from '../../../../contract/explore/explore.ts'
import type { SearchType } from '../../../../contract/common.ts'
import { segmentProblem } from '../../../../core/analytics/exploration.ts'
import { savedQuery } from '../../../api/explore.ts'
import { historyQuery } from '../../../api/analytics.ts'
import { SearchTypeSelect } from '../../../widgets/analytics/SearchTypeSelect.tsx'
import { SegmentSelect } from '../../../widgets/analytics/SegmentSelect.tsx'
import { PeriodControls } from '../../../widgets/analytics/PeriodControls.tsx'
import { useHistoryView } from './use-history-view.ts'

/** The chart's days, what they are compared with, and what one of its points represents. */
export function HistoryControls({ property }: { property: string }) {
  const [view, show] = useHistoryView()
  const { range, compare, grain, segment, type } = view
  const { data } = useQuery(historyQuery(property, view))
  return (
    <>
      <DashboardSegment type={type} value={segment} onChange={(chosen) => show({ segment: chosen })} />
      <PeriodControls view={{ range, compare, grain }} onChange={show} days={data} />
    </>
  )
}

/** The search type of the figures, the chart, the biggest changes and the audience; not shown if there is only web search. */
export function SearchTypes({ property }: { property: string }) {
  const [{ type, segment }, show] = useHistoryView()
  const { data } = useQuery(savedQuery)
  const where = readFilters(data?.find(({ id }) => id === segment)?.content ?? '').filters
  return (
    <SearchTypeSelect
      property={property}
      hideLabel
      className="w-36"
      value={type}
      onChange={(chosen) => show({ type: chosen, ...(!fits(chosen, where) && { segment: '' }) })}
    />
  )
}

const fits = (type: SearchType, where: readonly Filter[]): boolean => segmentProblem('The dashboard', where, type) === null

type DashboardSegmentProps = { type: SearchType; value: string; onChange: (segment: string) => void }

/** The segment of the figures, the chart and the biggest changes; not shown to people without any, unless one is set. */
function DashboardSegment({ type, value, onChange }: DashboardSegmentProps) {
  const { data } = useQuery(savedQuery)
  if (value === '' && !data?.some(({ kind }) => kind === 'segment')) return null
  return (
    <div className="w-44 max-sm:w-full">
      <SegmentSelect of="date" all="Whole site" hideLabel fits={(where) => fits(type, where)} value={value} onChange={onChange} />
    </div>
  )
}
