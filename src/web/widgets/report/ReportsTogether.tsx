import { useId } from 'react'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { leftOutWords, together } from '../../../core/reports/together.ts'
import { knownFigure, metricLabels, metricNames } from '../../lib/metric.ts'
import { Card } from '../../ui/Card.tsx'
import { ComparedDays, ComparedFigure } from '../analytics/ComparedFigure.tsx'
import { comparedWords } from './copy.ts'

/** The totals of several properties, as in the email and the PDF; if all others are within one of them, its own report has them. */
export function ReportsTogether({ reports }: { reports: readonly PeriodicReport[] }) {
  const id = useId()
  const { totals, previousTotals, counted, ...leftOut } = together(reports)
  const [first] = counted
  if (first === undefined || counted.length < 2) return null
  const words = leftOutWords(leftOut, (property) => property)
  return (
    <section aria-labelledby={id} className="mb-8">
      <Card>
        <h2 id={id} className="text-base font-semibold">
          {' '}
          Combined{' '}
        </h2>
        <p className="mt-1 text-muted">
          {previousTotals === null ? 'All properties.' : `All properties, compared with the ${comparedWords[first.kind].previous}.`}
        </p>
        <ComparedDays of={{ current: first.period, previous: first.previous }}>
          <dl className="mt-4 grid grid-cols-2 gap-4 lg:grid-cols-4 print:grid-cols-4">
            {metricNames.map((metric) => (
              <div key={metric}>
                <dt className="text-sm text-muted">{metricLabels[metric]}</dt>
                <dd className="mt-0.5">
                  <ComparedFigure
                    metric={metric}
                    now={knownFigure(metric, totals)}
                    before={previousTotals ?? undefined}
                    colorBy="outcome"
                  />
                </dd>
              </div>
            ))}
          </dl>
        </ComparedDays>
        {words !== null && <p className="mt-4 text-sm wrap-anywhere text-muted">{words}</p>}
      </Card>
    </section>
  )
}
