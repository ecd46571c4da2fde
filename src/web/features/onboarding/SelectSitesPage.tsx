import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { gscPropertiesQuery } from '../../api/gsc-properties.ts'
import { sessionQuery } from '../../api/session.ts'
import { returnState } from '../../lib/addresses.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { paths } from '../../paths.ts'
import { CurrentUser, useCurrentUser } from '../../shell/current-user.ts'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { isUnderWay, mayOpen } from '../../shell/purchase/purchase-flow.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { Card } from '../../ui/Card.tsx'
import { OnboardingFrame } from './OnboardingFrame.tsx'
import { PaymentReturn } from './PaymentReturn.tsx'
import { returnedPayment, withoutPayment } from './returned-payment.ts'
import { SelectSitesForm } from './select-sites.tsx'
import { ConnectCard, PausedNote, SitesEmpty, SitesLoading, SitesUnavailable } from './SitesStates.tsx'

/** As public as the rest of the setup: a plan comes first, where plans are sold, then somebody who is signed in. */
export function SelectSitesPage() {
  const { flow } = usePurchaseFlow()
  const location = useLocation()
  const { data: session } = useQuery(sessionQuery)
  if (session === undefined) return <LoadingScreen />
  if (session.user !== null) {
    return (
      <CurrentUser key={session.user.id} value={session.user}>
        <SignedIn />
      </CurrentUser>
    )
  }
  // Whoever has paid, or is back from their bank, goes on here once they have logged in.
  const goesOn = session.billing === 'off' || mayOpen('sites', flow) || returnedPayment(new URLSearchParams(location.search)) !== null
  return goesOn ? <Navigate to={paths.login} replace state={returnState(location)} /> : <Navigate to={paths.choosePlan} replace />
}

function SignedIn() {
  const [query, change] = useAddress()
  const payment = returnedPayment(query)
  const { plan } = useCurrentUser()
  if (payment !== null && plan !== null)
    return <PaymentReturn payment={payment} onDone={() => change(withoutPayment, { replace: true, keepsPlace: false, sync: false })} />
  return <GuardedSites />
}

/** For people on their way through the setup, and for those who have been through it. */
function GuardedSites() {
  const { flow, tell } = usePurchaseFlow()
  const user = useCurrentUser()
  const underWay = isUnderWay(flow)
  // Begun in another browser, it goes on here; as it is at first, so that nothing moves when the sites are saved.
  const [isFirst] = useState(user.sitesMonitored + user.sitesPaused === 0)
  const allowed = user.plan === null || (underWay ? mayOpen('sites', flow) : user.planChosen)
  useEffect(() => tell({ type: 'stepOpened', step: 'sites' }), [tell])
  if (!allowed) return <Navigate to={paths.choosePlan} replace />
  return <Sites step={user.plan !== null && (underWay || isFirst) ? 'sites' : null} />
}

function Sites({ step }: { step: 'sites' | null }) {
  useConnectionResult()
  const user = useCurrentUser()
  return (
    <OnboardingFrame
      step={step}
      width="narrow"
      title="Select Sites to Monitor"
      line={
        user.siteLimit === null
          ? 'Choose any number of sites from your Google Search Console properties'
          : `Choose up to ${user.siteLimit} site(s) from your Google Search Console properties`
      }
    >
      <title>Select sites · Ranklark</title>
      <PausedNote />
      {user.accessToken === null ? <WithoutGoogle /> : <FromGoogle />}
    </OnboardingFrame>
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
