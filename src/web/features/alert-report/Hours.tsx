import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { HoursChart } from '../../charts/HoursChart.tsx'
import { formatDay } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels } from '../../lib/metric.ts'
import { Card } from '../../ui/Card.tsx'

/** The day of an alert that hours opened, hour by hour; nothing where no hours of it are stored any more. */
export function Hours({ report: { type, hours, byHour } }: { report: AlertReport }) {
  if (hours === undefined || byHour === undefined) return null
  const label = metricLabels[type]
  const day = formatDay(hours.day)
  const sum = byHour.reduce((total, { value }) => total + (value ?? 0), 0)
  const usual = byHour.reduce((total, each) => total + (each.usual ?? 0), 0)
  const format = (value: number) => formatMetric(type, value)
  return (
    <Card>
      <HoursChart
        title={`${label} by hour, ${day}`}
        summary={`${label} by hour on ${day} (Pacific time), as far as Google has reported them: ${format(sum)}; usual: ${format(usual)}.`}
        label={label}
        day={day}
        rows={byHour}
        format={format}
        empty="No hourly data is stored for this day."
      />
    </Card>
  )
}
