import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { Lock } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { formatDollars } from '../../lib/money.ts'
import { sitePages } from '../../../contract/screens.ts'
import { LegalLink } from '../../shell/LegalLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DemoCards } from './DemoCards.tsx'
import type { PaymentDetailsProps } from './PaymentDetails.tsx'
import { usePay } from './use-pay.ts'

export function PaymentForm({ stripe: access, price, onProcessing, onRestart }: PaymentDetailsProps) {
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
      {/* The height of the form that comes, so that the button stays where it is. */}
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
