import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { Subscription } from '../../../contract/billing.ts'
import type { PlanId } from '../../../contract/user.ts'
import { subscriptionQuery } from '../../api/billing.ts'
import { gscPropertiesQuery } from '../../api/gsc-properties.ts'
import { sessionQuery } from '../../api/session.ts'
import { returnState } from '../../lib/addresses.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { logFailure } from '../../lib/log.ts'
import { paths } from '../../paths.ts'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { CurrentUser, useCurrentUser } from '../../shell/current-user.ts'
import { planNames } from '../../shell/plans.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { isPurchaseUnderWay, mayOpen } from '../../shell/purchase/purchase-flow.ts'
import { stripeOf } from '../../shell/purchase/stripe.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { Card } from '../../ui/Card.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { OnboardingFrame } from './OnboardingFrame.tsx'
import { PlanActivation } from './PlanActivation.tsx'
import { ConnectCard, PausedNote, SitesEmpty, SitesLoading, SitesUnavailable } from './SitesStates.tsx'
import { type ReturnedPayment, returnedPayment, withoutPayment } from './returned-payment.ts'
import { SelectSitesForm } from './select-sites.tsx'

/** As public as the rest of the setup: requires a plan first, if plans are sold, then a login. */
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
  // People who have paid, or return from their bank, continue here once logged in.
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

/** For people in the middle of the setup, and for those who have completed it. */
function GuardedSites() {
  const { flow, dispatch } = usePurchaseFlow()
  const user = useCurrentUser()
  const underWay = isPurchaseUnderWay(flow)
  // A setup started in another browser continues here; fixed at the start, so that nothing moves when the sites are saved.
  const [isFirst] = useState(user.sitesMonitored + user.sitesPaused === 0)
  const allowed = user.plan === null || (underWay ? mayOpen('sites', flow) : user.planChosen)
  useEffect(() => dispatch({ type: 'stepOpened', step: 'sites' }), [dispatch])
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

/** Imported properties need no connection, so they can be selected all the same. */
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

type PaymentReturnProps = { payment: ReturnedPayment; onDone: () => void }

/** Back from a bank's own page. The URL is only a hint: the plan comes from the server. */
function PaymentReturn({ payment, onDone }: PaymentReturnProps) {
  return (
    <OnboardingFrame step="payment" width="narrow" title="Complete Your Payment" line="Here's the status of your payment.">
      <title>Payment · Ranklark</title>
      <Card>{payment.status === 'failed' ? <Failed payment={payment} /> : <Made payment={payment} onDone={onDone} />}</Card>
    </OnboardingFrame>
  )
}

function Made({ payment, onDone }: PaymentReturnProps) {
  const { flow, dispatch } = usePurchaseFlow()
  const navigate = useNavigate()

  function onActive(plan: PlanId) {
    dispatch({ type: 'paymentSucceeded' })
    toast.success('Payment Successful', `Your ${planNames[plan]} plan has been activated.`)
    onDone()
  }

  function backToPayment() {
    dispatch({ type: 'paymentFailed' })
    void navigate(paths.payment, { replace: true })
  }

  return <PlanActivation plan={flow.selectedPlan} paid={payment.status === 'succeeded'} onActive={onActive} onNothingPaid={backToPayment} />
}

function Failed({ payment }: { payment: ReturnedPayment }) {
  const navigate = useNavigate()
  const { dispatch } = usePurchaseFlow()
  const subscription = useQuery(subscriptionQuery)
  const isSettled = !subscription.isPending
  const checkout = subscription.data?.checkout ?? null
  useEffect(() => {
    if (!isSettled) return
    void reasonOf(payment, checkout).then((reason) => {
      dispatch({ type: 'paymentFailed' })
      toast.error('Payment Failed', reason)
      // Its guard knows where to go if this tab has forgotten the plan.
      return navigate(paths.payment, { replace: true })
    })
  }, [isSettled, checkout, payment, dispatch, navigate])
  return <Spinner label="Setting up payment..." />
}

/** The provider's own words, if any. */
async function reasonOf({ clientSecret }: ReturnedPayment, checkout: Subscription['checkout'] | null): Promise<string> {
  const unknown = 'There was an issue processing your payment. Please try again.'
  if (clientSecret === null || checkout === null) return unknown
  try {
    const stripe = await stripeOf(checkout)
    const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
    return paymentIntent?.last_payment_error?.message ?? unknown
  } catch (error) {
    logFailure('Could not find out why the payment failed', error)
    return unknown
  }
}
