import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../current-user.ts'
import { LastUpdated } from './LastUpdated.tsx'
import { PropertySwitcher } from './PropertySwitcher.tsx'
import { RefreshButton } from './RefreshButton.tsx'

export function PropertyBar() {
  const { selectedProperty } = useCurrentUser()
  return (
    <div className="@container flex min-h-10 flex-wrap items-center gap-x-2 md:gap-x-1 md:flex-nowrap">
      <span className="shrink-0 text-muted">Property:</span>
      {selectedProperty === null ? (
        <>
          <span className="py-2 font-medium">No property selected</span>
          <Link to={paths.selectSites} className="inline-flex min-h-10 items-center font-medium text-brand hover:underline">
            Select a property →
          </Link>
        </>
      ) : (
        <>
          <PropertySwitcher selected={selectedProperty} />
          <RefreshButton property={selectedProperty} />
          <LastUpdated />
        </>
      )}
    </div>
  )
}
