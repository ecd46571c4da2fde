import { ofSql } from './of-sql.ts'

/** What somebody's next digest depends on when they choose another time: the last one, and one that is overdue. */
export const lastDigests = ofSql(
  `ALTER TABLE digest_schedules ADD COLUMN owed_since timestamptz, ADD COLUMN last_at timestamptz,
          ADD COLUMN last_frequency text CHECK (last_frequency IN ('daily', 'weekly')),
          ADD CHECK ((last_at IS NULL) = (last_frequency IS NULL))`,
)
