import { ofSql } from './of-sql.ts'

/**
 * An alert about a whole site remembers which findings it has covered. So far, that was what is shown with it: if it covered nothing,
 * also the pages that moved most, however little. So those that moved by less than a tenth aren't taken over.
 */
export const whatSitesAlertsCover = ofSql(
  `ALTER TABLE alerts ADD COLUMN covered jsonb NOT NULL DEFAULT '[]'`,
  `UPDATE alerts SET covered = (
      SELECT coalesce(jsonb_agg(jsonb_build_object('entity', part->'entity', 'change', part->'change', 'through', alerts.judged_through)), '[]')
      FROM jsonb_array_elements(contributors) AS part
      WHERE type NOT IN ('clicks', 'impressions') OR part->>'change' IS NULL
        OR abs((part->>'change')::float8) >= 10 AND sign((part->>'change')::float8) = sign((figures->>'change')::float8))
    WHERE entity_kind = 'site' AND judged_through IS NOT NULL AND contributors <> '[]'
      AND (recovered_at IS NULL OR recovered_at > now() - interval '60 days')`,
)
