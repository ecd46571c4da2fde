import { useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { History } from '../../../../contract/history.ts'
import { alertsQuery } from '../../../api/alerts.ts'
import { historyQuery } from '../../../api/analytics.ts'
import { formatPeriod } from '../../../lib/dates.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Card } from '../../../ui/Card.tsx'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { notStoredWords } from '../../../widgets/analytics/coverage/list-coverage.ts'
import { AnnotatedChart } from '../../../widgets/annotations/AnnotatedChart.tsx'
import { LoadProblem } from '../../../widgets/LoadProblem.tsx'
import { alertMarks, historyChart, historyNotes } from '../../../widgets/analytics/history-chart.ts'
import { type HistoryView, useHistoryView } from './use-history-view.ts'

/** The most alerts that one request answers. */
const mostMarked = 500

/** The enabled metrics over the days in the URL. The same size in every state. */
export function HistorySection({ property }: { property: string }) {
  const [view] = useHistoryView()
  const { data, error, isPlaceholderData, refetch } = useQuery(historyQuery(property, view))
  return (
    <Card className="flex">
      <div className="flex min-h-109 min-w-0 grow flex-col justify-center sm:min-h-99">
        {data !== undefined ? (
          <Dimmed when={isPlaceholderData} className="flex grow flex-col">
            {data === null ? (
              <Nothing title="No history yet">The chart starts with your first complete day.</Nothing>
            ) : (
              <Chart property={property} history={data} view={view} />
            )}
          </Dimmed>
        ) : error !== null ? (
          <LoadProblem what="the history" property={property} error={error} onRetry={() => void refetch()} />
        ) : (
          <HistoryLoading />
        )}
      </div>
    </Card>
  )
}

function Chart({ property, history, view: { shown, compare, type } }: { property: string; history: History; view: HistoryView }) {
  // Those of the whole period, recovered or not: a change is part of its history.
  const { data: alerts } = useQuery(alertsQuery(property, { from: history.period.start, limit: mostMarked }))
  const chart = useMemo(() => historyChart(history, shown), [history, shown])
  const marks = useMemo(() => alertMarks(alerts ?? [], history.period, shown, type), [alerts, history, shown, type])
  const now = useNow()
  const [metric] = shown
  if (history.points.every(({ figures }) => figures === null) || metric === undefined) {
    if (history.points.some(({ complete }) => complete))
      return (
        <Nothing title="No impressions on these days">Google recorded no impressions for {formatPeriod(history.period, true)}.</Nothing>
      )
    return <Nothing title="No data for these days">{notStoredWords(history)}</Nothing>
  }
  return (
    <>
      <AnnotatedChart property={property} searchType={type} metric={metric} {...chart} marks={marks} fills />
      <p className="mt-1 min-h-4 text-xs text-muted tabular-nums">
        {historyNotes(history, { shown, type, wantsComparison: compare !== 'none', now }).join(' ')}
      </p>
    </>
  )
}

function Nothing({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EmptyState icon={<ChartLine aria-hidden />} title={title}>
      <p>{children}</p>
    </EmptyState>
  )
}

function HistoryLoading() {
  return (
    <div aria-busy className="flex grow flex-col">
      <output className="sr-only">Loading history</output>
      <Skeleton className="h-5 w-48" />
      <Skeleton className="mt-4 w-full grow" />
    </div>
  )
}
