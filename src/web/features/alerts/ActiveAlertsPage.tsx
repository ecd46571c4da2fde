import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyRequired.tsx'
import { useSyncStatus } from '../../shell/sync.ts'
import { Button } from '../../ui/Button.tsx'
import { RecentAlerts } from '../../widgets/RecentAlerts.tsx'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import { AlertsBoard } from './AlertsBoard.tsx'
import { type AlertsSearch, readSearch, writeSearch } from './alerts-search.ts'
import { RangeSelect } from './RangeSelect.tsx'
import { ViewToggle } from './ViewToggle.tsx'

const NewRuleDialog = lazy(async () => ({ default: (await import('../../widgets/NewRuleDialog.tsx')).NewRuleDialog }))

export function ActiveAlertsPage() {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Active alerts · Ranklark</title>
      {selectedProperty === null ? (
        <>
          <div className="mb-5">
            <PropertyTitle title="Active Alerts" property={null} />
          </div>
          <PropertyRequired>Select a property to see its alerts.</PropertyRequired>
        </>
      ) : (
        // What was chosen of one property is not meant for another.
        <ActiveAlerts key={selectedProperty} property={selectedProperty} />
      )}
    </>
  )
}

function ActiveAlerts({ property }: { property: string }) {
  const [params, changeAddress] = useAddress()
  const search = readSearch(params)
  const sync = useSyncStatus()
  const [creating, setCreating] = useState<'not' | 'open' | 'closed'>('not')
  const data = sync !== null && sync.firstDate !== null && sync.lastDate !== null ? { start: sync.firstDate, end: sync.lastDate } : null

  const change = (changed: Partial<AlertsSearch>) => changeAddress((now) => writeSearch({ ...readSearch(now), ...changed }))
  const create = () => setCreating('open')
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <PropertyTitle title="Active Alerts" property={property} />
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          <ViewToggle value={search.view} onChange={(view) => change({ view })} />
          <RangeSelect search={search} data={data} onChange={change} />
          <Button variant="primary" className="max-sm:flex-1" onClick={create}>
            <Plus aria-hidden />
            New Alert
          </Button>
        </div>
      </div>
      <AlertsBoard property={property} search={search} data={data} onChange={change} onCreate={create} />
      <div className="mt-6">
        <RecentAlerts property={property} />
      </div>
      {creating !== 'not' && (
        <Suspense>
          <NewRuleDialog property={property} open={creating === 'open'} onOpenChange={(open) => setCreating(open ? 'open' : 'closed')} />
        </Suspense>
      )}
    </>
  )
}
