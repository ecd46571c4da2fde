import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useMemo } from 'react'
import { isBound } from '../../../contract/explore/explore.ts'
import type { History } from '../../../contract/history.ts'
import { exploreHistory, type ExploreParams } from '../../api/explore.ts'
import { metricColors } from '../../charts/metric-color.ts'
import { hasMetric, metricLabels, type MetricName, metricNames } from '../../lib/metric.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { historyChart, historyNotes } from '../../widgets/analytics/history-chart.ts'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import type { ExploreView, ShowExplored } from './explore-view.ts'
import { rowsWord } from './copy.ts'

type ExploreChartProps = { property: string; params: ExploreParams; view: ExploreView; show: ShowExplored }

/** The rows by date as lines, next to those they are compared with. The same size in every state. */
export function ExploreChart({ property, params, view, show }: ExploreChartProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(exploreHistory(params))
  return (
    <Card className="mt-4">
      <div className="flex min-h-130 flex-col sm:min-h-110">
        <Metrics view={view} show={show} />
        {data ? (
          <Dimmed when={isPlaceholderData} className="flex grow flex-col">
            <Lines property={property} history={data} view={view} />
          </Dimmed>
        ) : error !== null ? (
          <LoadProblem what="the chart" property={property} error={error} onRetry={() => void refetch()} />
        ) : (
          <ChartLoading />
        )}
      </div>
    </Card>
  )
}

function Lines({ property, history, view }: Omit<ExploreChartProps, 'params' | 'show'> & { history: History }) {
  const { shown, type, compare, grain, filters, segmentFilters } = view
  const chart = useMemo(() => historyChart(history, shown), [history, shown])
  const [metric = 'clicks'] = shown
  const now = useNow()
  const isBounded = [...segmentFilters, ...filters].some(({ operator }) => isBound(operator))
  const notes = [
    ...historyNotes(history, { shown, type, wantsComparison: compare !== 'none', now }),
    ...(isBounded ? [`The lines leave out ${rowsWord('date', grain)} that don’t match the filters.`] : []),
  ]
  return (
    <>
      <AnnotatedChart property={property} searchType={type} metric={metric} {...chart} fills />
      <p className="mt-1 min-h-4 text-xs text-muted tabular-nums">{notes.join(' ')}</p>
    </>
  )
}

/** Which metrics the chart shows; one stays. */
function Metrics({ view: { shown, type }, show }: Pick<ExploreChartProps, 'view' | 'show'>) {
  const toggled = (name: MetricName) => metricNames.filter((each) => shown.includes(each) !== (each === name))
  return (
    <fieldset aria-label="Metrics in the chart" className="mb-2 flex flex-wrap gap-x-1 max-sm:-mx-2 sm:-ml-2">
      {metricNames
        .filter((name) => hasMetric(type, name))
        .map((name) => {
          const isShown = shown.includes(name)
          const next = toggled(name)
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isShown}
              aria-disabled={next.length === 0}
              onClick={() => next.length > 0 && show({ shown: next })}
              className={clsx(
                'control inline-flex items-center gap-2 px-2 font-medium',
                isShown ? 'text-text' : 'text-muted hover:text-text',
              )}
            >
              <span
                aria-hidden
                className={clsx(
                  'grid size-4 place-items-center rounded-sm border [&_svg]:size-3',
                  isShown ? ['text-surface', metricColors[name].bg, metricColors[name].border] : 'border-line-control',
                )}
              >
                {isShown && <Check strokeWidth={3} />}
              </span>
              {metricLabels[name]}
            </button>
          )
        })}
    </fieldset>
  )
}

function ChartLoading() {
  return (
    <div aria-busy className="flex grow flex-col">
      <output className="sr-only">Loading the chart</output>
      <Skeleton className="h-5 w-48" />
      <Skeleton className="mt-4 w-full grow" />
    </div>
  )
}
