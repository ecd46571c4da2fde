import { sql } from 'kysely'
import type { AlertVerdict } from '../../../contract/alerts/alerts.ts'
import type { RatedAlert } from '../../../core/alerting/unusual/proposal.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import { notYours } from './alerts-store.ts'
import { fromStored } from '../names.ts'

/** Identifies the rated alert. Ids can be reused after a restore, so links also carry the time the alert opened. */
export type AlertToRate = { userId: string; id: number; openedAt?: Date }

/** Where a verdict comes from: the owner in the app, a program of theirs, or whoever has the link of an email. */
export type VerdictSource = 'app' | 'api' | 'email'
const details: Record<VerdictSource, string | null> = { app: null, api: 'Through the API.', email: 'Through the link in an email.' }

/** Maximum number of verdicts on one alert within 24 hours, since each is kept in its history. */
const mostVerdicts = 20
const dayMs = 24 * 3_600_000

/** A part rated before it became one keeps its verdict unless its lead has one. */
export const verdictOf = sql<AlertVerdict>`coalesce(lead.verdict, alerts.verdict)`

export function createVerdicts(db: Db) {
  /** The alert itself, or its lead: rating a finding means rating what was sent. */
  const alertOf = (trx: Db, { userId, id, openedAt }: AlertToRate) => {
    const named = trx
      .selectFrom('alerts')
      .where('id', '=', id)
      .$if(openedAt !== undefined, (query) => query.where('openedAt', '=', openedAt ?? new Date(0)))
      .select((eb) => eb.fn.coalesce('partOf', 'id').as('id'))
    return trx
      .selectFrom('alerts')
      .innerJoin('properties', 'properties.id', 'alerts.propertyId')
      .where('properties.userId', '=', userId)
      .where('properties.detachedAt', 'is', null)
      .where('alerts.id', '=', named)
      .select(['alerts.id', 'alerts.state', 'alerts.entityKind', 'alerts.verdict'])
  }

  async function mayBeRated(trx: Db, alertId: number, now: Date): Promise<void> {
    const { count } = await trx
      .selectFrom('alertEvents')
      .where('alertId', '=', alertId)
      .where('reason', 'like', 'verdict\\_%')
      .where('at', '>', new Date(now.getTime() - dayMs))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= mostVerdicts)
      throw new Refusal(409, `You've rated this alert ${mostVerdicts} times in the last 24 hours. Try again later.`)
  }

  /** Rated alerts by rule: each counts for its own rule and for the others that found it. */
  const rated = (trx: Db, conditionIds: readonly number[], since: Date) => {
    const ids = sql`any(${[...conditionIds]}::bigint[])`
    const finders = sql<{
      alertId: number
      conditionId: number
    }>`(SELECT id AS alert_id, condition_id FROM alerts WHERE condition_id = ${ids}
      UNION SELECT alert_id, condition_id FROM alert_finders WHERE condition_id = ${ids})`
    return trx
      .selectFrom(finders.as('finders'))
      .innerJoin('alerts', 'alerts.id', 'finders.alertId')
      .leftJoin('alerts as lead', 'lead.id', 'alerts.partOf')
      .where('alerts.openedAt', '>=', since)
      .where(verdictOf, 'is not', null)
      .select('finders.conditionId')
  }

  return {
    /** The id of the alert to rate; null if this person has no such alert. */
    async find(of: AlertToRate): Promise<string | null> {
      const row = await alertOf(db, of).executeTakeFirst()
      return row && row.entityKind !== 'connection' ? String(row.id) : null
    },

    /**
     * Stores and records a verdict, null to remove it; repeating the same one records nothing. Returns the id of the alert that has it.
     * @throws Refusal 404 if it isn't theirs, 409 for an alert about the connection or one that was rated too often
     */
    async give(of: AlertToRate, verdict: AlertVerdict | null, from: VerdictSource, now: Date, within: Db = db): Promise<string> {
      return inTransaction(within, async (trx) => {
        const row = await alertOf(trx, of).forUpdate('alerts').executeTakeFirst()
        if (!row) throw notYours()
        if (row.entityKind === 'connection') throw new Refusal(409, "Connection alerts can't be rated.")
        if (row.verdict === verdict) return String(row.id)
        await mayBeRated(trx, row.id, now)
        const verdictAt = verdict === null ? null : now
        await trx.updateTable('alerts').set({ verdict, verdictAt }).where('id', '=', row.id).execute()
        await trx
          .insertInto('alertEvents')
          .values({
            alertId: row.id,
            fromState: row.state,
            toState: row.state,
            reason: `verdict_${verdict ?? 'cleared'}`,
            detail: details[from],
            byUser: from === 'email' ? null : of.userId,
            at: now,
          })
          .execute()
        return String(row.id)
      })
    },

    /**
     * How many alerts of these rules, opened since then, were rated, and how many were useful. An alert counts for each rule with a finding
     * in it.
     */
    async counts(conditionIds: readonly number[], since: Date, trx: Db = db): Promise<Map<number, { useful: number; of: number }>> {
      const rows = await rated(trx, conditionIds, since)
        .select([sql<number>`count(DISTINCT coalesce(lead.id, alerts.id))::integer`.as('of')])
        .select(sql<number>`(count(DISTINCT coalesce(lead.id, alerts.id)) FILTER (WHERE ${verdictOf} = 'useful'))::integer`.as('useful'))
        .groupBy('finders.conditionId')
        .execute()
      return new Map(rows.map(({ conditionId, useful, of }) => [conditionId, { useful, of }]))
    },

    /** A rule's rated alerts, opened since then, each with the rule's finding. */
    async ofRule(conditionId: number, since: Date): Promise<RatedAlert[]> {
      const rows = await rated(db, [conditionId], since)
        .select([sql<number>`coalesce(lead.id, alerts.id)`.as('alertId'), verdictOf.as('verdict'), 'alerts.entityName', 'alerts.opening'])
        .orderBy('alerts.id')
        .execute()
      return [...Map.groupBy(rows, ({ alertId }) => alertId).values()].flatMap((of): RatedAlert[] => {
        const findings = of.flatMap(({ entityName, opening }) =>
          opening ? [{ entity: fromStored(entityName), change: opening.change, day: opening.windows.current.end }] : [],
        )
        return of[0] && findings.length > 0 ? [{ verdict: of[0].verdict, findings }] : []
      })
    },
  }
}
export type Verdicts = ReturnType<typeof createVerdicts>
