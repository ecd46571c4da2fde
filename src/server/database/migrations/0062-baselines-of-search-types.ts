import { ofSql } from './of-sql.ts'

/**
 * What is stored about a property's past, by search type too. What was stored so far is worked out again, since it is computed differently
 * now. Processes of the previous version go on storing theirs in `alert_baselines` until they end, so that table stays.
 */
export const baselinesOfSearchTypes = ofSql(
  `CREATE TABLE site_baselines (
        property_id bigint NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
        search_type text NOT NULL CHECK (search_type IN ('web', 'image', 'video', 'news', 'discover', 'googleNews')),
        metric text NOT NULL,
        rests_on text NOT NULL,
        state jsonb NOT NULL,
        PRIMARY KEY (property_id, search_type, metric))`,
  `DELETE FROM alert_baselines`,
)
