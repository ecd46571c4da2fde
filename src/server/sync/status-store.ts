import { sql } from 'kysely'
import type { IsoDate } from '../../contract/common.ts'
import type { ConnectionState } from '../../contract/sync.ts'
import type { Db } from '../database/open.ts'
import type { Run } from './sync-plan.ts'

/** A property's state with its Google connection; one row per property of a person. */
export type StatusRow = {
  propertyId: number
  property: string
  kind: 'google' | 'imported'
  state: ConnectionState | null
  connection: 'ok' | 'token_revoked' | 'scope_missing' | 'api_disabled' | null
  message: string | null
  retryAt: Date | null
  runningUntil: Date | null
  /** A process is asking Google about its days right now. */
  held: boolean
  runBeganAt: Date | null
  runDaysLeft: number | null
  /** Somebody waits for its hours, at most until then. */
  hoursAwaitedUntil: Date | null
  lastSyncedAt: Date | null
  completeThrough: IsoDate | null
  monitored: boolean
  /** The first day of its imported files; null if there are none. For a Google property it may be older than Google's first. */
  importedFrom: IsoDate | null
}

/** A run that stored nothing for this long was interrupted; what follows is a new run with its own pace. */
const pauseMinutes = 15

/** Sync states as people see them. */
export function createStatusStore(db: Db) {
  return {
    /** Shows everyone that a sync is running until then, even while no process works on it; null once it ended. */
    async markRunning(propertyId: number, runningUntil: Date | null): Promise<void> {
      const change = { runningUntil, ...(runningUntil === null && { runBeganAt: null, runDaysLeft: null }) }
      await db
        .insertInto('propertySyncs')
        .values({ propertyId, ...change })
        .onConflict((oc) => oc.column('propertyId').doUpdateSet(change))
        .execute()
    },

    /** Notes when the run began and how much was left; a continued run keeps its note. */
    async markRun(propertyId: number, { beganAt, daysLeft }: Run): Promise<void> {
      const run = { runBeganAt: beganAt, runDaysLeft: daysLeft }
      const paused = new Date(beganAt.getTime() - pauseMinutes * 60_000)
      await db
        .insertInto('propertySyncs')
        .values({ propertyId, ...run })
        .onConflict((oc) =>
          oc
            .column('propertyId')
            .doUpdateSet(run)
            .where((eb) =>
              eb.or([
                eb('propertySyncs.runBeganAt', 'is', null),
                eb(sql<Date>`greatest(property_syncs.run_began_at, property_syncs.last_synced_at)`, '<', paused),
              ]),
            ),
        )
        .execute()
    },

    /** One person's monitored properties, all of theirs, or the one named, monitored or not. */
    async statuses(userId: string, which: 'monitored' | 'all' | { name: string }): Promise<StatusRow[]> {
      return db
        .selectFrom('properties')
        .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
        .leftJoin('hourSyncs', 'hourSyncs.propertyId', 'properties.id')
        .leftJoin('googleConnections', 'googleConnections.userId', 'properties.userId')
        .where('properties.userId', '=', userId)
        .where('properties.detachedAt', 'is', null)
        .$if(which === 'monitored', (qb) => qb.where('properties.monitored', '=', true))
        .$if(typeof which === 'object', (qb) => qb.where('properties.name', '=', typeof which === 'object' ? which.name : ''))
        .select(['properties.id as propertyId', 'properties.name as property', 'properties.kind', 'googleConnections.state as connection'])
        .select(['propertySyncs.state', 'propertySyncs.message', 'propertySyncs.retryAt', 'propertySyncs.runningUntil'])
        .select(['propertySyncs.lastSyncedAt', 'propertySyncs.completeThrough', 'hourSyncs.awaitedUntil as hoursAwaitedUntil'])
        .select(['propertySyncs.runBeganAt', 'propertySyncs.runDaysLeft'])
        .select(({ selectFrom, exists }) => [
          'properties.monitored',
          exists(
            selectFrom('syncLeases')
              .whereRef('syncLeases.propertyId', '=', 'properties.id')
              .where('syncLeases.kind', '=', 'days')
              .where('syncLeases.until', '>', sql<Date>`clock_timestamp()`)
              .select('syncLeases.propertyId'),
          )
            .$castTo<boolean>()
            .as('held'),
          selectFrom('imports')
            .whereRef('imports.propertyId', '=', 'properties.id')
            .select(({ fn }) => fn.min('imports.startDate').as('first'))
            .as('importedFrom'),
        ])
        .orderBy('properties.id')
        .execute()
    },
  }
}
export type StatusStore = ReturnType<typeof createStatusStore>
