import type { EvaluateAnswer } from '../../contract/alerts/alerts.ts'
import { sql } from 'kysely'
import { severityRank } from '../../contract/alerts/alerts.ts'
import { mostOpenedInADay } from '../../core/alerting/bounds.ts'
import type { Db } from '../database/open.ts'
import type { Outcome } from './outcome-writes.ts'

const dayMs = 24 * 3_600_000

/** How many findings of all rules didn't become alerts. */
export const leftOutOf = ({ leftOut }: Outcome): number => leftOut.reduce((sum, { count }) => sum + count, 0)

/** Keeps what may still be opened today, most severe first; the rest counts as left out. */
export async function withinTheDay(trx: Db, outcome: Outcome, now: Date): Promise<Outcome> {
  const { opened, property } = outcome
  if (opened.length === 0) return outcome
  const { count } = await trx
    .selectFrom('alerts')
    .where('propertyId', '=', property.id)
    .where('openedAt', '>', new Date(now.getTime() - dayMs))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const room = Math.max(0, mostOpenedInADay - count)
  if (opened.length <= room) return outcome
  const first = opened.toSorted((a, b) => severityRank(a.finding.severity) - severityRank(b.finding.severity))
  const dropped = Map.groupBy(first.slice(room), ({ finding }) => Number(finding.ruleId))
  return {
    ...outcome,
    opened: first.slice(0, room),
    leftOut: outcome.leftOut.map((each) => ({ ...each, count: each.count + (dropped.get(each.conditionId)?.length ?? 0) })),
  }
}

export async function noteLeftOut(trx: Db, { leftOut }: Outcome): Promise<void> {
  const changed = leftOut.filter(({ count, before }) => count !== before)
  if (changed.length === 0) return
  await sql`UPDATE alert_conditions SET left_out = counted.count
    FROM unnest(${changed.map(({ conditionId }) => conditionId)}::bigint[], ${changed.map(({ count }) => count)}::integer[]) AS counted (id, count)
    WHERE alert_conditions.id = counted.id`.execute(trx)
}

/** What several evaluations found together. */
export const totalOf = (answers: readonly EvaluateAnswer[]): EvaluateAnswer => ({
  count: answers.reduce((sum, { count }) => sum + count, 0),
  leftOut: answers.reduce((sum, { leftOut }) => sum + leftOut, 0),
})
