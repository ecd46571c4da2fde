import type { PlanId } from '../../contract/user.ts'
import { plans } from '../../core/billing/plans.ts'

const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone })
const utcDay = dayIn('UTC')

/** `3 December 2026`, in UTC like the payment provider's days, or in a reader's time zone. */
export const dayOf = (moment: string, timeZone?: string): string =>
  (timeZone === undefined ? utcDay : dayIn(timeZone)).format(new Date(moment))

/** `$9 a month`. */
export const priceOf = (plan: PlanId): string => (plans[plan].price === 0 ? 'Free of charge' : `$${plans[plan].price} a month`)
