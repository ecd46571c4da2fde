import { LayoutGrid, Plus, Rows3 } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import type { Period } from '../../../contract/metrics.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { PropertyScreen } from '../../shell/PropertyScreen.tsx'
import { useSyncStatus } from '../../shell/sync.ts'
import { Button } from '../../ui/Button.tsx'
import { DateRangePicker } from '../../ui/form/DateRangePicker.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import { RecentAlerts } from '../../widgets/RecentAlerts.tsx'
import { AlertsBoard } from './AlertsBoard.tsx'
import { type AlertsSearch, type AlertsView, customPeriod, readAlertsSearch, views, writeAlertsSearch } from './alerts-search.ts'

const NewRuleDialog = lazy(async () => ({ default: (await import('../../widgets/NewRuleDialog.tsx')).NewRuleDialog }))

/** Choices for one property aren't meant for another: hence the key. */
export function ActiveAlertsPage() {
  return (
    <PropertyScreen title="Active alerts" heading="Active Alerts" need="Select a property to see its alerts.">
      {(property) => <ActiveAlerts key={property} property={property} />}
    </PropertyScreen>
  )
}

function ActiveAlerts({ property }: { property: string }) {
  const [params, changeAddress] = useAddress()
  const search = readAlertsSearch(params)
  const sync = useSyncStatus()
  const [creating, setCreating] = useState<'not' | 'open' | 'closed'>('not')
  const data = sync !== null && sync.firstDate !== null && sync.lastDate !== null ? { start: sync.firstDate, end: sync.lastDate } : null

  const change = (changed: Partial<AlertsSearch>) => changeAddress((now) => writeAlertsSearch({ ...readAlertsSearch(now), ...changed }))
  const create = () => setCreating('open')
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <PropertyTitle title="Active Alerts" property={property} />
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          <ViewToggle value={search.view} onChange={(view) => change({ view })} />
          <AlertsRange search={search} data={data} onChange={change} />
          <Button variant="primary" className="max-sm:flex-1" onClick={create}>
            <Plus aria-hidden />
            New Alert
          </Button>
        </div>
      </div>
      <AlertsBoard property={property} search={search} data={data} onChange={change} onCreate={create}>
        <div className="mt-6">
          <RecentAlerts property={property} />
        </div>
      </AlertsBoard>
      {creating !== 'not' && (
        <Suspense>
          <NewRuleDialog property={property} open={creating === 'open'} onOpenChange={(open) => setCreating(open ? 'open' : 'closed')} />
        </Suspense>
      )}
    </>
  )
}

const looks = { cards: { label: 'Cards', Icon: LayoutGrid }, table: { label: 'Table', Icon: Rows3 } } as const

function ViewToggle({ value, onChange }: { value: AlertsView; onChange: (value: AlertsView) => void }) {
  return <Segments label="View" choices={views.map((view) => ({ value: view, ...looks[view] }))} value={value} onChange={onChange} />
}

const choices = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: 'custom', label: 'Custom range' },
] as const

/** As wide as any. */
const someWeek = { start: '2026-03-28', end: '2026-04-03' }

type AlertsRangeProps = {
  search: AlertsSearch
  /** The days with data; without any there is no range to select. */
  data: Period | null
  onChange: (change: Pick<AlertsSearch, 'range' | 'custom'>) => void
}

function AlertsRange({ search: { range, custom }, data, onChange }: AlertsRangeProps) {
  const period = data === null ? null : customPeriod(custom, data)
  return (
    <>
      <div className="w-38 max-sm:grow">
        <Select
          label="Date range"
          hideLabel
          value={range}
          choices={choices.map((choice) => ({ ...choice, disabled: choice.value === 'custom' && data === null }))}
          placeholder=""
          onChange={(value) => {
            const chosen = choices.find((choice) => choice.value === value)
            if (chosen) onChange({ range: chosen.value, custom: chosen.value === 'custom' ? period : null })
          }}
        />
      </div>
      {range === 'custom' && data !== null && period !== null && (
        <DateRangePicker value={period} span={data} onChange={(chosen) => onChange({ range: 'custom', custom: chosen })} />
      )}
      {/* The room it takes once its days are known. */}
      {range === 'custom' && data === null && (
        <div className="invisible">
          <DateRangePicker value={custom ?? someWeek} span={someWeek} onChange={() => {}} />
        </div>
      )}
    </>
  )
}
