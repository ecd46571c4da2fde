import { z } from 'zod'
import { planId, type PlanId } from '../../../contract/user.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

// Where somebody is between choosing a plan and monitoring their first site (SPEC §4, "Purchase flow guards"). Only what the screens
// remember: the server decides what somebody has paid for and may do.

const purchaseStep = z.enum(['plan', 'payment', 'sites', 'complete'])
type PurchaseStep = z.infer<typeof purchaseStep>

const purchaseFlow = z.object({
  currentStep: purchaseStep,
  selectedPlan: planId.nullable(),
  paymentStatus: z.enum(['processing', 'success', 'failed']).nullable(),
  /** Names of properties, in the order chosen. */
  selectedSites: z.array(z.string()),
  isComplete: z.boolean(),
  /** The buyer's id; null while nobody is signed in. */
  owner: z.string().nullable().default(null),
})
export type PurchaseFlow = z.infer<typeof purchaseFlow>

export const noPurchase: PurchaseFlow = {
  currentStep: 'plan',
  selectedPlan: null,
  paymentStatus: null,
  selectedSites: [],
  isComplete: false,
  owner: null,
}

export type PurchaseEvent =
  /** `by`: the signed-in person; a visitor's choice has no owner yet. */
  | { type: 'planChosen'; plan: PlanId; by?: string | null }
  | { type: 'stepOpened'; step: PurchaseStep }
  | { type: 'paymentStarted' }
  | { type: 'paymentSucceeded' }
  | { type: 'paymentFailed' }
  | { type: 'sitesChosen'; sites: readonly string[] }
  | { type: 'completed' }
  /** `hasPlan`: they had chosen one before. */
  | { type: 'signedIn'; userId: string; hasPlan: boolean }
  | { type: 'reset' }

export function mayOpen(step: PurchaseStep, { selectedPlan, paymentStatus, selectedSites }: PurchaseFlow): boolean {
  switch (step) {
    case 'plan':
      return true
    case 'payment':
      return selectedPlan !== null
    case 'sites':
      return selectedPlan !== null && paymentStatus === 'success'
    case 'complete':
      return selectedSites.length > 0 && paymentStatus === 'success'
  }
}

/** Whether a plan was chosen but its setup isn't finished. */
export const isPurchaseUnderWay = ({ selectedPlan, isComplete }: PurchaseFlow): boolean => selectedPlan !== null && !isComplete

/** An event that doesn't apply to the current state changes nothing. */
export function afterPurchaseEvent(flow: PurchaseFlow, event: PurchaseEvent): PurchaseFlow {
  switch (event.type) {
    case 'planChosen':
      // A payment for one plan doesn't count for another.
      return event.plan === flow.selectedPlan && !flow.isComplete
        ? flow
        : { ...noPurchase, selectedPlan: event.plan, owner: event.by ?? null }
    case 'stepOpened':
      return mayOpen(event.step, flow) ? { ...flow, currentStep: event.step } : flow
    case 'paymentStarted':
      return isPurchaseUnderWay(flow) ? { ...flow, currentStep: 'payment', paymentStatus: 'processing' } : flow
    case 'paymentSucceeded':
      return isPurchaseUnderWay(flow) ? { ...flow, currentStep: 'sites', paymentStatus: 'success' } : flow
    case 'paymentFailed':
      return isPurchaseUnderWay(flow) ? { ...flow, currentStep: 'payment', paymentStatus: 'failed' } : flow
    case 'sitesChosen':
      return mayOpen('sites', flow) && !flow.isComplete ? { ...flow, selectedSites: [...event.sites] } : flow
    case 'completed':
      return mayOpen('complete', flow) ? { ...flow, currentStep: 'complete', isComplete: true } : flow
    case 'signedIn':
      // A visitor's purchase continues with them, unless they turn out to have a plan; somebody else's isn't theirs.
      if (flow.selectedPlan === null || flow.owner === event.userId) return flow
      return flow.owner === null && !event.hasPlan ? { ...flow, owner: event.userId } : noPurchase
    case 'reset':
      return noPurchase
  }
}

const key = 'ranklark-purchase-flow'

/** What this tab remembers; empty if it was never started, is over, or is invalid. */
export function readPurchase(): PurchaseFlow {
  const stored = readStored(() => sessionStorage, key)
  if (stored === null) return noPurchase
  try {
    const parsed = purchaseFlow.safeParse(JSON.parse(stored))
    return parsed.success && isPurchaseUnderWay(parsed.data) ? parsed.data : noPurchase
  } catch {
    return noPurchase
  }
}

/** Keeps it for this tab; nothing to keep once it is complete or given up. */
export function keepPurchase(flow: PurchaseFlow): void {
  if (isPurchaseUnderWay(flow)) writeStored(() => sessionStorage, key, JSON.stringify(flow))
  else removeStored(() => sessionStorage, key)
}
