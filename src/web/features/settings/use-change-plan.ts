import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Subscription } from '../../../contract/billing.ts'
import type { PlanId } from '../../../contract/user.ts'
import { isUpgrade } from '../../../core/billing/plans.ts'
import { changePlan, showSubscription, untilInForce } from '../../api/billing.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { planNames } from '../../lib/plans.ts'
import { stripeOf } from '../../shell/purchase/stripe.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** The bank, or the person before it, did not agree to the payment. */
class Declined extends Error {
  override name = 'Declined'
}

type Outcome = 'changed' | 'scheduled' | 'on-its-way'

/** From one paid plan to another, or back to Free; `onDone` once it is settled, or at least paid for. */
export function useChangePlan({ plan: from, checkout }: Subscription, to: PlanId, onDone: () => void) {
  const client = useQueryClient()

  async function change(): Promise<Outcome> {
    const answer = await changePlan(to)
    if (answer.outcome !== 'action_required') {
      showSubscription(client, answer)
      return answer.outcome
    }
    if (answer.clientSecret === null) throw new Error('There is no way to ask the bank')
    const stripe = await stripeOf(checkout)
    const { error } = await stripe.handleNextAction({ clientSecret: answer.clientSecret })
    if (error !== undefined) throw new Declined(error.message)
    const state = await untilInForce(client, (user) => user.plan === to)
    return state.user.plan === to ? 'changed' : 'on-its-way'
  }

  return useMutation({
    mutationFn: change,
    onSuccess: (outcome) => {
      tellOutcome(outcome, to)
      onDone()
    },
    onError: (error) => tellFailure(error, isUpgrade(from, to)),
  })
}

function tellOutcome(outcome: Outcome, to: PlanId): void {
  switch (outcome) {
    case 'changed':
      if (to === 'free') return toast.success('Plan Selected', 'Your free plan has been activated.')
      return toast.success('Payment Successful', `Your ${planNames[to]} plan has been activated.`)
    case 'scheduled':
      return toast.success('Plan Change Scheduled', `You switch to ${planNames[to]} when the paid period ends. Nothing changes until then.`)
    case 'on-its-way':
      return toast.success('Payment Successful', `Your ${planNames[to]} plan starts as soon as the payment is confirmed.`)
  }
}

function tellFailure(error: Error, upgrade: boolean): void {
  if (error instanceof Declined)
    toast.error('Payment Failed', error.message || 'There was an issue processing your payment. Please try again.')
  else {
    // Only a card stands between somebody and a better plan.
    const declined = upgrade && error instanceof ApiFailure && error.status === 409
    toast.error(declined ? 'Payment Failed' : 'Error', failureText(error, "Couldn't change your plan. Please try again."))
  }
}
