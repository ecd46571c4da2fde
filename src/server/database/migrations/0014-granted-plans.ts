import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Marks plans granted without payment, so that no update from Stripe removes them. */
export const grantedPlans: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `ALTER TABLE people ADD COLUMN granted_plan text CHECK (granted_plan IN ('pro', 'agency'))`,
  // Until now a plan without a paid subscription was a granted one.
  `UPDATE people SET granted_plan = plan WHERE plan <> 'free' AND NOT EXISTS (
     SELECT FROM subscriptions WHERE subscriptions.user_id = people.user_id AND status IN ('active', 'trialing', 'past_due'))`,
]
