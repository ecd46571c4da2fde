import { ofSql } from './of-sql.ts'

/**
 * What is stored about a property's past, by search type too. It gets another name: processes of the previous version store theirs in
 * `alert_baselines` until they end, where they find nothing, and so work it out again with the same result.
 */
export const baselinesOfSearchTypes = ofSql(
  `ALTER TABLE alert_baselines RENAME TO site_baselines`,
  `ALTER TABLE site_baselines ADD COLUMN search_type text NOT NULL DEFAULT 'web'
      CHECK (search_type IN ('web', 'image', 'video', 'news', 'discover', 'googleNews')),
      DROP CONSTRAINT alert_baselines_pkey, ADD PRIMARY KEY (property_id, search_type, metric)`,
  `ALTER TABLE site_baselines ALTER COLUMN search_type DROP DEFAULT`,
  `CREATE TABLE alert_baselines (
        property_id bigint NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
        metric text NOT NULL,
        rests_on text NOT NULL,
        state jsonb NOT NULL,
        PRIMARY KEY (property_id, metric))`,
)
