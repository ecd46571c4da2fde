import { useQuery } from '@tanstack/react-query'
import { historyQuery } from '../../../api/analytics.ts'
import { PeriodControls } from '../../../widgets/analytics/PeriodControls.tsx'
import { useHistoryView } from './use-history-view.ts'

/** Which days the chart shows, what they are compared with, and what one of its points stands for. */
export function HistoryControls({ property }: { property: string }) {
  const [{ range, compare, grain }, show] = useHistoryView()
  const { data } = useQuery(historyQuery(property, { range, compare, grain }))
  return <PeriodControls view={{ range, compare, grain }} onChange={show} days={data} />
}
