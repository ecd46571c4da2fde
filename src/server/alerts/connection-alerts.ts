import { propertyName } from '../../core/accounts/property-name.ts'
import { sql } from 'kysely'
import type { Severity } from '../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { ConnectionState } from '../../contract/sync.ts'
import { daysOf } from '../../core/alerting/copy.ts'
import { addDays, pacificDay } from '../../core/analytics/days.ts'
import { isOpen } from '../database/open-accounts.ts'
import { inSavepoint } from '../database/savepoint.ts'
import type { Db } from '../database/open.ts'
import type { EventBus } from '../common/events.ts'
import type { Log } from '../platform/log.ts'
import { lockNumber } from '../platform/postgres.ts'
import { explainState } from '../sync/service.ts'
import { announce } from './incidents/announce.ts'
import { end } from './outcome-writes.ts'

/** Problems of a Google account, or of a property, that stop new data until somebody acts. Each account problem hides all that follow. */
const ofAccount = ['token_revoked', 'scope_missing', 'api_disabled'] as const
const ofProperty = ['permission_missing', 'property_form'] as const
const lateState = 'data_late'

/** Google finalizes a day after three (docs/google-api.md); this many more are unusual. */
const usualDelayDays = 3
const lateDays = 4
const hourMs = 3_600_000
/** A sync within this time has asked Google and found nothing newer. */
const askedWithinMs = 12 * hourMs
/** A temporary problem seen within this time. */
const metWithinMs = hourMs

type Row = {
  id: number
  userId: string
  name: string
  isSelected: boolean
  state: ConnectionState
  message: string | null
  retryAt: Date | null
  lastSyncedAt: Date | null
  completeThrough: IsoDate | null
}
type OpenAlert = Awaited<ReturnType<typeof openAlerts>>[number]
/** What changed for one property. */
type Change = { userId: string; propertyId: number; fresh: readonly Problem[]; gone: readonly OpenAlert[] }
type Problem = { row: Row; cause: string; severity: Severity; message: string; action: { label: string; href: string } | null }

/**
 * Opens an alert once when new data stops coming, and ends it when data is back. Across all processes, one transaction at a time does so,
 * for everybody at once.
 */
export function createConnectionAlerts(db: Db, events: EventBus, log: Log) {
  async function settle(trx: Db, { userId, propertyId, fresh, gone }: Change, now: Date): Promise<void> {
    const opened = await openAll(trx, fresh, now)
    const ended = await end(
      trx,
      gone.map((alert) => ({ alertId: alert.id, reason: isKept(alert) ? 'works_again' : 'not_monitored' })),
      now,
    )
    const recovered = gone.filter((alert) => isKept(alert) && ended.includes(alert.id))
    await announce(events, trx, { userId, propertyId, opened: opened.map(({ id }) => id), recovered: recovered.map(({ id }) => id) })
  }

  return {
    async check(now: Date): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await sql`SELECT pg_advisory_xact_lock(${sql.raw(lockNumber("'alerts:connections'"))})`.execute(trx)
        const rows = await troubled(trx)
        const people = Map.groupBy(rows, ({ userId }) => userId)
        const byId = new Map(rows.map((row) => [row.id, row]))
        const open = Map.groupBy(await openAlerts(trx), (alert) =>
          isOver(alert, byId.get(alert.propertyId), people.get(alert.userId) ?? [], now),
        )
        const [gone, lasting] = [open.get(true) ?? [], open.get(false) ?? []]
        const known = new Set(lasting.map(({ userId, propertyId, entityName }) => keyOf(userId, propertyId, entityName)))
        const problems = [...people.values()].flatMap((own) => problemsOf(own, now))
        const fresh = problems.filter(({ row, cause }) => !known.has(keyOf(row.userId, row.id, cause)))
        for (const change of changesOf(fresh, gone)) {
          // A failure for one person must not keep others from being notified.
          await inSavepoint(trx, () => settle(trx, change, now)).catch((error: unknown) =>
            log.error({ err: error, propertyId: change.propertyId }, 'a connection alert could not be updated; will retry'),
          )
        }
      })
    },
  }
}

/** Synced properties; a problem of their account comes before their own. */
async function troubled(trx: Db): Promise<Row[]> {
  return trx
    .selectFrom('properties')
    .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .innerJoin('googleConnections', 'googleConnections.userId', 'properties.userId')
    .leftJoin('people', 'people.selectedPropertyId', 'properties.id')
    .where('properties.kind', '=', 'google')
    .where('properties.monitored', '=', true)
    .where('properties.detachedAt', 'is', null)
    .where(isOpen('properties.userId'))
    .select(['properties.id', 'properties.userId', 'properties.name', 'propertySyncs.message', 'propertySyncs.retryAt'])
    .select(['propertySyncs.lastSyncedAt', 'propertySyncs.completeThrough'])
    .select((eb) => [
      eb('people.userId', 'is not', null).$castTo<boolean>().as('isSelected'),
      sql<ConnectionState>`CASE WHEN google_connections.state <> 'ok' THEN google_connections.state ELSE property_syncs.state END`.as(
        'state',
      ),
    ])
    .orderBy('properties.id')
    .execute()
}

function openAlerts(trx: Db) {
  return trx
    .selectFrom('alerts')
    .innerJoin('properties', 'properties.id', 'alerts.propertyId')
    .where('alerts.entityKind', '=', 'connection')
    .where('alerts.recoveredAt', 'is', null)
    .where(isOpen('properties.userId'))
    .select(['alerts.id', 'alerts.propertyId', 'alerts.entityName', 'properties.userId', 'properties.monitored', 'properties.pausedAt'])
    .execute()
}

/** Alerts of a property paused by a smaller plan stay, so that they aren't sent again when it resumes (rules/unmonitored.ts). */
const isKept = ({ monitored, pausedAt }: Pick<OpenAlert, 'monitored' | 'pausedAt'>): boolean => monitored || pausedAt !== null

/** An account has one alert about each of its problems, and each of its properties one about its own. */
const keyOf = (userId: string, propertyId: number, cause: string) => `${rankOf(cause) < 0 ? propertyId : userId} ${cause}`
const rankOf = (cause: string) => ofAccount.findIndex((each) => each === cause)

/**
 * Whether what an alert is about is known to work again, or is none of our business anymore. What isn't seen may only be hidden: by a
 * problem that comes before it, or because nobody has asked for hours.
 * @param row the property it is on, if that is still synced
 * @param own all properties of its owner
 */
function isOver(alert: OpenAlert, row: Row | undefined, own: readonly Row[], now: Date): boolean {
  const cause = alert.entityName
  if (row === undefined && !isKept(alert)) return true
  const rank = rankOf(cause)
  // While its property is paused, the others show whether an account works again.
  if (rank >= 0) return own.length > 0 && own.every(({ state }) => rankOf(state) < 0 || rankOf(state) > rank)
  if (row === undefined) return false
  return cause === lateState ? row.completeThrough !== null && !isBehind(row, now) : row.state === 'ok'
}

/** @param own a person's properties */
function problemsOf(own: readonly Row[], now: Date): Problem[] {
  const problems: Problem[] = []
  for (const cause of ofAccount) {
    const hit = own.filter(({ state }) => state === cause)
    // One alert for the account, on the property its owner has selected.
    const row = hit.find(({ isSelected }) => isSelected) ?? hit[0]
    if (row) problems.push(explained(row, cause))
  }
  for (const row of own) {
    const cause = ofProperty.find((state) => state === row.state)
    if (cause) problems.push(explained(row, cause))
    else if (isLate(row, now)) problems.push(late(row))
  }
  return problems
}

function explained(row: Row, cause: ConnectionState): Problem {
  const explanation = explainState(cause, row.name, row.message)
  return { row, cause, severity: 'critical', message: explanation?.message ?? '', action: explanation?.action ?? null }
}

const isBehind = ({ completeThrough }: Row, now: Date): boolean =>
  completeThrough !== null && completeThrough < addDays(pacificDay(now), -usualDelayDays - lateDays)

function isLate(row: Row, now: Date): boolean {
  const { state, lastSyncedAt, retryAt } = row
  if (!isBehind(row, now)) return false
  // After a long downtime everything is late until it has been requested.
  if (state === 'ok') return lastSyncedAt !== null && lastSyncedAt.getTime() > now.getTime() - askedWithinMs
  return (state === 'quota' || state === 'google_unavailable') && retryAt !== null && retryAt.getTime() > now.getTime() - metWithinMs
}

const late = (row: Row): Problem => ({
  row,
  cause: lateState,
  severity: 'warning',
  message: `The last day Google has finalized for ${propertyName(row.name)} is ${daysOf({ start: row.completeThrough ?? '', end: row.completeThrough ?? '' }, true)}. A day's data is usually final after three days. Rules can't be checked until new data arrives.`,
  action: null,
})

async function openAll(trx: Db, problems: readonly Problem[], now: Date): Promise<{ id: number; propertyId: number }[]> {
  if (problems.length === 0) return []
  const opened = await trx
    .insertInto('alerts')
    .values(
      problems.map(({ row, cause, severity, message, action }) => ({
        propertyId: row.id,
        type: 'clicks' as const,
        entityKind: 'connection' as const,
        entityName: cause,
        severity,
        state: 'firing' as const,
        opening: 'null',
        figures: 'null',
        contributors: '[]',
        series: '[]',
        message,
        action: JSON.stringify(action),
        openedAt: now,
        judgedAt: now,
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .returning(['id', 'propertyId'])
    .execute()
  const values = opened.map(({ id, propertyId }) => ({
    alertId: id,
    fromState: null,
    toState: 'firing' as const,
    reason: problems.find(({ row }) => row.id === propertyId)?.cause ?? lateState,
    at: now,
  }))
  if (values.length > 0) await trx.insertInto('alertEvents').values(values).execute()
  return opened
}

/** What changed for each property. */
function changesOf(fresh: readonly Problem[], gone: readonly OpenAlert[]): Change[] {
  const owners = new Map([
    ...fresh.map(({ row }) => [row.id, row.userId] as const),
    ...gone.map((alert) => [alert.propertyId, alert.userId] as const),
  ])
  const [freshOf, goneOf] = [Map.groupBy(fresh, ({ row }) => row.id), Map.groupBy(gone, (alert) => alert.propertyId)]
  return [...owners].map(([propertyId, userId]) => ({
    userId,
    propertyId,
    fresh: freshOf.get(propertyId) ?? [],
    gone: goneOf.get(propertyId) ?? [],
  }))
}
