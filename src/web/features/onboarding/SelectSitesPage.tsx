import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { gscPropertiesQuery } from '../../api/gsc-properties.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { ConnectCard } from './ConnectCard.tsx'
import { SelectSitesForm } from './select-sites.tsx'
import { SitesEmpty, SitesLoading } from './SitesStates.tsx'
import { SitesUnavailable } from './SitesUnavailable.tsx'

export function SelectSitesPage() {
  useConnectionResult()
  const user = useCurrentUser()
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-xl flex-col px-4 py-8 sm:py-12">
      <title>Select sites · Ranklark</title>
      <div className="flex items-center justify-between">
        <Logo />
        {user.selectedProperty !== null && (
          <Link to={paths.dashboard} className={buttonClass('quiet', '-mr-3.5')}>
            Back to the dashboard
          </Link>
        )}
      </div>
      <h1 className="mt-8 text-title font-semibold">Select Sites to Monitor</h1>
      <p className="mt-1 mb-6 text-muted">Choose up to {user.siteLimit} site(s) from your Google Search Console properties</p>
      {user.accessToken === null ? <WithoutGoogle /> : <FromGoogle />}
    </main>
  )
}

function FromGoogle() {
  const properties = useQuery(gscPropertiesQuery)
  return (
    <Card>
      {properties.isPending ? (
        <SitesLoading />
      ) : properties.isError ? (
        <SitesUnavailable error={properties.error} />
      ) : properties.data.length === 0 ? (
        <SitesEmpty onRetry={() => void properties.refetch()} />
      ) : (
        <SelectSitesForm properties={properties.data} />
      )}
    </Card>
  )
}

/** Imported properties need no connection, so they can be chosen all the same. */
function WithoutGoogle() {
  const properties = useCurrentUser().gscProperties ?? []
  return (
    <div className="flex flex-col gap-5">
      {properties.length > 0 && (
        <Card>
          <SelectSitesForm properties={properties} />
        </Card>
      )}
      <ConnectCard />
    </div>
  )
}
