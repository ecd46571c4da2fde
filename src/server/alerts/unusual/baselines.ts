import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SearchType } from '../../../contract/common.ts'
import { dayNumber } from '../../../core/analytics/days.ts'
import type { AlertMetric } from '../../../core/alerting/rule.ts'
import { advance, type SiteHistory } from '../../../core/alerting/unusual/site.ts'
import type { Confirmed } from '../../../core/detection/calibration.ts'
import type { DetectorState } from '../../../core/detection/smart.ts'
import type { Db } from '../../database/open.ts'
import { verdictOf } from '../incidents/verdicts.ts'

/**
 * A property's past for one search type and metric, condensed, so that each evening reads one day instead of years (detection/smart.ts).
 */
export type Baseline = Of & { restsOn: string; state: DetectorState }
type Of = { propertyId: number; searchType: SearchType; metric: AlertMetric }

/** Raised when the stored format or the way it is computed changes: earlier states are then recomputed. */
const version = 7

export function createBaselines(db: Db) {
  return {
    async load(propertyIds: readonly number[]): Promise<Map<string, Baseline>> {
      const rows = await db
        .selectFrom('siteBaselines')
        .where(sql<boolean>`property_id = any(${[...propertyIds]})`)
        .selectAll()
        .execute()
      return new Map(rows.map((row) => [keyOf(row), row]))
    },

    /**
     * Site-wide changes rated as real, by `keyOf`. They aren't part of the stored state but taken into account when a day is evaluated, so
     * that another verdict never invalidates it.
     */
    async confirmed(propertyIds: readonly number[]): Promise<Map<string, Confirmed[]>> {
      const rows = await db
        .selectFrom('alerts')
        .leftJoin('alerts as lead', 'lead.id', 'alerts.partOf')
        .where(sql<boolean>`alerts.property_id = any(${[...propertyIds]})`)
        .where('alerts.entityKind', '=', 'site')
        .where(verdictOf, '=', 'useful')
        .select(['alerts.propertyId', 'alerts.searchType', 'alerts.type', 'alerts.opening', 'alerts.figures'])
        .execute()
      const confirmed = new Map<string, Confirmed[]>()
      for (const { propertyId, searchType, type: metric, opening, figures } of rows) {
        if (!opening || !figures || opening.change === null) continue
        const key = keyOf({ propertyId, searchType, metric })
        const of = confirmed.get(key) ?? []
        confirmed.set(key, of)
        const [from, to] = [dayNumber(opening.windows.current.end), dayNumber(figures.windows.current.end)]
        of.push({ direction: opening.change < 0 ? 'fall' : 'rise', from, to })
      }
      return confirmed
    },

    /** Stores new and advanced states. The last writer wins: for the same days all states are equal. */
    async store(baselines: readonly Baseline[]): Promise<void> {
      if (baselines.length === 0) return
      await sql`INSERT INTO site_baselines (property_id, search_type, metric, rests_on, state)
        SELECT kept.* FROM unnest(${baselines.map(({ propertyId }) => propertyId)}::bigint[],
          ${baselines.map(({ searchType }) => searchType)}::text[], ${baselines.map(({ metric }) => metric)}::text[],
          ${baselines.map(({ restsOn }) => restsOn)}::text[], ${baselines.map(({ state }) => JSON.stringify(state))}::jsonb[])
          AS kept (property_id, search_type, metric, rests_on, state)
        JOIN properties ON properties.id = kept.property_id
        ON CONFLICT (property_id, search_type, metric) DO UPDATE SET rests_on = excluded.rests_on, state = excluded.state`.execute(db)
    },
  }
}
export type Baselines = ReturnType<typeof createBaselines>

export const keyOf = ({ propertyId, searchType, metric }: Of): string => `${propertyId} ${searchType} ${metric}`

/**
 * The state up to the day before the last one, continued from the stored state if that is still valid. Revised days, older days that
 * arrived and changed holidays recompute it from scratch, with the same result as if nothing had been stored.
 * @returns `baseline` is null if the stored state is still valid
 */
export async function carried(
  { country, ...of }: Of & { country: string | null },
  history: SiteHistory,
  kept: Baseline | undefined,
): Promise<{ state: DetectorState | null; baseline: Baseline | null }> {
  const { counts } = history.counts
  const upTo = (days: number): string =>
    createHash('sha256')
      .update(JSON.stringify([version, country, history.counts.start, counts.slice(0, days)]))
      .digest('base64url')
  const days = counts.length - 1
  const keptDays = kept === undefined ? 0 : kept.state.days
  const holds = kept !== undefined && keptDays <= days && kept.restsOn === upTo(keptDays)
  if (holds && keptDays === days) return { state: kept.state, baseline: null }
  const state = await advance(history, holds ? kept.state : null, () => nextTurn())
  return { state, baseline: state && { ...of, restsOn: upTo(days), state } }
}
