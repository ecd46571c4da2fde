import { ofSql } from './of-sql.ts'

/** People's ratings of alerts: useful or noise. Nobody has rated one yet. */
export const verdicts = ofSql(
  `ALTER TABLE alerts ADD COLUMN verdict text CHECK (verdict IN ('useful', 'noise')), ADD COLUMN verdict_at timestamptz,
          ADD CHECK ((verdict IS NULL) = (verdict_at IS NULL))`,
  `CREATE INDEX alerts_verdict ON alerts (property_id) WHERE verdict IS NOT NULL`,
)
