import type { ColumnType, JSONColumnType } from 'kysely'
import type { PlanId } from '../../contract/user.ts'

type CreatedAt = ColumnType<Date, Date | undefined, never>

/** A person's Stripe customer. */
export type StripeCustomersTable = { userId: string; customerId: string; createdAt: CreatedAt }

/** A subscription as last read from Stripe. */
export type SubscriptionsTable = {
  id: string
  userId: string
  plan: PlanId
  /** Stripe's own value. */
  status: string
  currentPeriodEnd: Date | null
  /** The plan after this period, if it differs. */
  nextPlan: PlanId | null
  card: JSONColumnType<{ brand: string; last4: string; expMonth: number; expYear: number }> | null
  createdAt: Date
  /** When it was read from Stripe. */
  readAt: Date
}

/** Handled webhooks: Stripe sends some twice. */
export type StripeEventsTable = { id: string; type: string; handledAt: Date }
