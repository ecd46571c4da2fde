import type { Segments } from '../../../../contract/analytics.ts'
import { BarChart } from '../../../charts/BarChart.tsx'
import { DonutChart } from '../../../charts/DonutChart.tsx'
import { countryName } from '../../../../core/analytics/country-name.ts'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/Card.tsx'
import { clicksSummary, deviceName } from './segment-words.ts'

/** Bars of the chart (SPEC §9). */
const bars = 10

export function AudienceCharts({ devices, countries }: { devices: Segments; countries: Segments }) {
  return (
    <div className="grid gap-4 *:min-w-0 lg:grid-cols-[2fr_3fr] xl:gap-5">
      <Card>
        <DonutChart
          title="Clicks by device"
          summary={clicksSummary(devices, deviceName)}
          parts={devices.map(({ name, clicks }) => ({ label: deviceName(name), value: clicks }))}
          format={formatCount}
          valueLabel="Clicks"
          heading="Device"
          empty="No clicks in this period"
        />
      </Card>
      <Card>
        <BarChart
          title="Clicks by country"
          summary={clicksSummary(countries, countryName)}
          rows={countries
            .slice(0, bars)
            .map(({ name, clicks }) => ({ label: countryName(name), fullLabel: countryName(name), value: clicks }))}
          format={formatCount}
          valueLabel="Clicks"
          heading="Country"
          empty="No country data in this period"
        />
      </Card>
    </div>
  )
}
