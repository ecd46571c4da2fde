import { ofSql } from './of-sql.ts'

/** Marks plans granted without payment, so that no update from Stripe removes them. */
export const grantedPlans = ofSql(
  `ALTER TABLE people ADD COLUMN granted_plan text CHECK (granted_plan IN ('pro', 'agency'))`,
  // Until now a plan without a paid subscription was a granted one.
  `UPDATE people SET granted_plan = plan WHERE plan <> 'free' AND NOT EXISTS (
     SELECT FROM subscriptions WHERE subscriptions.user_id = people.user_id AND status IN ('active', 'trialing', 'past_due'))`,
)
