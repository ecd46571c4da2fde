import type { Grain } from './schema.ts'

/**
 * The condition that keeps a query on the current load of each day. The query binds
 * `property`, `type`, `start` and `end`; the table's own columns are filtered too, so that the
 * primary key prunes before the set is looked at.
 */
export const onCurrentDays = (grain: Grain): string => `property = {property:UInt64} AND type = {type:String}
    AND date BETWEEN {start:Date} AND {end:Date}
    AND (date, load) IN (
      SELECT date, max(load) FROM facts_current
      WHERE property = {property:UInt64} AND type = {type:String} AND grain = '${grain}'
        AND date BETWEEN {start:Date} AND {end:Date}
      GROUP BY date)`
