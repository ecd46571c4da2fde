import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe, StripeElements } from '@stripe/stripe-js'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { type SubmitEvent, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { sitePages } from '../../../contract/screens.ts'
import { formatDollars } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { LegalLink } from '../../shell/LegalLink.tsx'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { stripeOf } from '../../shell/purchase/stripe.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'
import type { StripeAccess } from './checkout.ts'

type PaymentDetailsProps = {
  clientSecret: string
  stripe: StripeAccess
  price: number
  /** The bank is still processing the payment. */
  onProcessing: () => void
  /** This payment can no longer be made; another one has to be set up. */
  onRestart: () => void
}

/** Stripe's form, shown once its script has loaded and the payment is still open. */
export function PaymentDetails(props: PaymentDetailsProps) {
  const { clientSecret, stripe: access, onProcessing } = props
  const { dispatch } = usePurchaseFlow()
  const appearance = useStripeAppearance()
  const opening = useQuery({
    queryKey: ['payment', clientSecret],
    queryFn: async () => {
      const stripe = await stripeOf(access)
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
      return { stripe, status: paymentIntent?.status ?? null }
    },
    gcTime: 0,
    structuralSharing: false,
  })

  // Already made, in another tab or before a reload.
  const status = opening.data?.status
  useEffect(() => {
    if (status === 'succeeded') dispatch({ type: 'paymentSucceeded' })
    if (status === 'processing') onProcessing()
  }, [status, dispatch, onProcessing])

  if (opening.isError && !opening.isFetching) {
    return (
      <LoadFailure title="Couldn't load the payment form" error={opening.error} onRetry={() => void opening.refetch()}>
        Stripe provides this form. A browser extension or your network may be blocking it. You haven't been charged.
      </LoadFailure>
    )
  }
  if (opening.data === undefined || status === 'succeeded' || status === 'processing') return <Spinner label="Setting up payment..." />
  return (
    <Elements key={clientSecret} stripe={opening.data.stripe} options={{ clientSecret, appearance }}>
      <PaymentForm {...props} />
    </Elements>
  )
}

function PaymentForm({ stripe: access, price, onProcessing, onRestart }: PaymentDetailsProps) {
  const stripe = useStripe()
  const elements = useElements()
  const [ready, setReady] = useState(false)
  const pay = usePay({ onProcessing, onRestart })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (stripe !== null && elements !== null) pay.mutate({ stripe, elements })
  }

  return (
    <form onSubmit={submit}>
      <h2 className="text-base font-semibold">Card details</h2>
      <p className="mt-1 mb-5 flex items-start gap-2 text-muted">
        <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
        Your payment information is secure and encrypted
      </p>
      {access.scriptUrl !== null && <DemoCards />}
      {/* The height of the upcoming form, so that the button stays in place. */}
      <div aria-busy={!ready} className="relative min-h-60">
        {!ready && (
          <div className="absolute inset-0 flex flex-col gap-3">
            <Skeleton className="h-18" />
            <Skeleton className="h-18" />
            <Skeleton className="h-18" />
          </div>
        )}
        <PaymentElement options={{ layout: 'tabs' }} onReady={() => setReady(true)} onLoadError={onRestart} />
      </div>
      {typeof pay.data === 'string' && !pay.isPending && <p className="mt-4 break-words text-critical">{pay.data}</p>}
      <Button type="submit" variant="primary" className="mt-5 w-full" disabled={!ready || pay.isPending}>
        {pay.isPending ? 'Processing...' : `Pay ${formatDollars(price)}/month`}
      </Button>
      <p className="mt-4 text-sm text-muted">
        By proceeding, you agree to our <LegalLink path={sitePages.terms} name="Terms of Service" /> and{' '}
        <LegalLink path={sitePages.privacy} name="Privacy Policy" />. You can cancel your subscription at any time.
      </p>
    </form>
  )
}

const unknownIssue = 'There was an issue processing your payment. Please try again.'

type Payment = { stripe: Stripe; elements: StripeElements }
type Options = { onProcessing: () => void; onRestart: () => void }

/** Confirms the payment at Stripe; methods with a bank's own page return to the site screen. Returns the problem, if any. */
function usePay({ onProcessing, onRestart }: Options) {
  const { dispatch } = usePurchaseFlow()

  function fail(message: string): string {
    dispatch({ type: 'paymentFailed' })
    toast.error('Payment Failed', message)
    return message
  }

  async function pay({ stripe, elements }: Payment): Promise<string | null> {
    dispatch({ type: 'paymentStarted' })
    try {
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        confirmParams: { return_url: `${window.location.origin}${paths.selectSites}` },
        redirect: 'if_required',
      })
      const status = (paymentIntent ?? error?.payment_intent)?.status
      // Also an error if the payment was made in another tab meanwhile.
      if (status === 'succeeded') {
        dispatch({ type: 'paymentSucceeded' })
        return null
      }
      if (status === 'processing') {
        onProcessing()
        return null
      }
      // Not the card's fault: this payment was canceled, or expired while the page was open.
      if (error?.type === 'invalid_request_error') onRestart()
      return fail(error?.message ?? unknownIssue)
    } catch {
      return fail(unknownIssue)
    }
  }

  return useMutation({ mutationFn: pay })
}

// Stripe's own test numbers, also accepted by the stand-in.
const cards = [
  { number: '4242 4242 4242 4242', what: 'is accepted' },
  { number: '4000 0025 0000 3155', what: 'asks for 3-D Secure' },
  { number: '4000 0000 0000 0002', what: 'is declined' },
]

/** Test cards, shown where a stand-in replaces Stripe. */
function DemoCards() {
  return (
    <div className="mb-5 rounded-control bg-brand-soft p-3">
      <p className="font-medium">Demo: no real charge. Use any future date and CVC.</p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {cards.map(({ number, what }) => (
          <li key={number}>
            <code className="whitespace-nowrap">{number}</code> {what}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Stripe's form in our colors, following theme changes while it is open. */
function useStripeAppearance(): Appearance {
  const dark = useSyncExternalStore(onThemeChange, isDark)
  return useMemo(() => appearanceFor(dark), [dark])
}

const isDark = (): boolean => document.documentElement.classList.contains('dark')

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  return () => observer.disconnect()
}

function appearanceFor(dark: boolean): Appearance {
  const color = colors()
  return {
    theme: dark ? 'night' : 'stripe',
    variables: {
      colorPrimary: color('--brand'),
      colorBackground: color('--surface'),
      colorText: color('--text'),
      colorTextSecondary: color('--muted'),
      colorTextPlaceholder: color('--muted'),
      colorDanger: color('--critical'),
      fontFamily: 'Inter, ui-sans-serif, system-ui, sans-serif',
      fontSizeBase: '16px',
      fontSizeSm: '14px',
      borderRadius: '8px',
      spacingUnit: '4px',
    },
    rules: {
      '.Input': { border: `1px solid ${color('--line-control')}`, boxShadow: 'none' },
      '.Input:focus': { border: `1px solid ${color('--brand')}`, boxShadow: `0 0 0 1px ${color('--brand')}` },
      '.Label': { fontWeight: '500', color: color('--text') },
    },
  }
}

/** Reads tokens as `rgb()`: the form's frame has none of our variables, and no OKLCH. */
function colors(): (token: string) => string {
  const tokens = getComputedStyle(document.documentElement)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return (token) => {
    const value = tokens.getPropertyValue(token).trim()
    if (context === null) return value
    context.fillStyle = value
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
}
