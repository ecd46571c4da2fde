import { ofSql } from './of-sql.ts'

/** Marks accounts created in a demo, and lets accounts be closed (docs/decisions/0043). */
export const demoAccounts = ofSql(
  `ALTER TABLE people ADD COLUMN demo text CHECK (demo IN ('sample', 'visitor')), ADD COLUMN closed_at timestamptz`,
  // Until now the sample account was recognized by its name alone, and its user may have changed its address. Only there the same statement
  // sets the plan and creates the account; a person named demo takes longer than that.
  `UPDATE people SET demo = 'sample' FROM users WHERE users.id = people.user_id AND users.username = 'demo'
     AND (users.email = 'demo@ranklark.example'
       OR people.plan_chosen_at BETWEEN people.created_at - interval '5 seconds' AND people.created_at + interval '5 seconds')`,
)
