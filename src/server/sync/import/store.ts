import { sql } from 'kysely'
import pg from 'pg'
import type { IsoDate } from '../../../contract/common.ts'
import type { ImportAnswer } from '../../../contract/import.ts'
import type { Property } from '../../../contract/user.ts'
import { hasRoomFor, tooManyProperties } from '../../../core/accounts/property-limit.ts'
import { type Offer, siteLimitRefusal } from '../../../core/billing/offer.ts'
import { holdPerson, type Requester } from '../../accounts/service.ts'
import { recordEvent } from '../../audit/record.ts'
import type { Db } from '../../database/open.ts'
import { limitStatements, ownersLockNumbers } from '../../platform/postgres.ts'
import { keepUnfinished } from '../forgotten.ts'
import { ImportRefusal, shown } from './refusal.ts'
import { jsonOf } from './loads.ts'

/** The content of one upload's `imports` row, and its last day with web search. */
export type ImportRecord = Omit<ImportAnswer, 'property' | 'changed'> & {
  sha256: string
  fileName: string
  loads: number[]
  lastWebDay: IsoDate | null
}

export type ImportTarget = { id: number; kind: Property['kind']; detachedAt: Date | null }

/** The person's property with this name, of any kind. */
export function findProperty(db: Db, userId: string, name: string): Promise<ImportTarget | undefined> {
  return db
    .selectFrom('properties')
    .select(['id', 'kind', 'detachedAt'])
    .where('userId', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/**
 * Runs `work` only while the property stays the same, since that decides whose days they are, and only while its requester's session and
 * access last.
 * @throws ImportRefusal 409 if its owner connected or disconnected Google meanwhile; Refusal 401 if either ended
 */
export async function whileSame(
  db: Db,
  { person, name }: Pick<NewSite, 'person' | 'name'>,
  { id, kind, detachedAt }: ImportTarget,
  work: (trx: Db) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdRequester(trx, person)
    const now = await trx.selectFrom('properties').where('id', '=', id).select(['kind', 'detachedAt']).forShare().executeTakeFirst()
    if (now?.kind !== kind || now.detachedAt?.getTime() !== detachedAt?.getTime()) {
      throw new ImportRefusal(
        `"${shown(name)}" was connected or disconnected during the import: import the files again`,
        { field: 'property' },
        409,
      )
    }
    await work(trx)
  })
}

/**
 * The answer to an earlier import of exactly this file into this property; undefined if there was none, or if a later file has replaced
 * days of it since, so that importing it again does change something.
 */
export async function findImport(
  db: Db,
  propertyId: number,
  sha256: string,
): Promise<Omit<ImportAnswer, 'property' | 'changed'> | undefined> {
  return db
    .selectFrom('imports')
    .select(['rows', 'days', 'startDate as start', 'endDate as end', 'clicks', 'impressions', 'notes'])
    .where('propertyId', '=', propertyId)
    .where('sha256', '=', sha256)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('imports as later')
            .select('later.id')
            .whereRef('later.propertyId', '=', 'imports.propertyId')
            .whereRef('later.importedAt', '>', 'imports.importedAt')
            .whereRef('later.startDate', '<=', 'imports.endDate')
            .whereRef('later.endDate', '>=', 'imports.startDate'),
        ),
      ),
    )
    .executeTakeFirst()
}

type NewSite = { offer: Offer; person: Requester; name: string }

/** An upload may take an hour, in which access or the session may end; the command line has neither. */
const holdRequester = async (trx: Db, person: Requester): Promise<void> => {
  if (person.accessVersion !== undefined) await holdPerson(trx, person)
}

/** Why the person may not add another site; null if they may. `lock` keeps the answer true until the transaction ends. */
export async function siteRefusal(db: Db, { offer, person: { id: userId }, name }: NewSite, lock = false): Promise<string | null> {
  const person = await db
    .selectFrom('people')
    .select('plan')
    .where('userId', '=', userId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  const sites = await db
    .selectFrom('properties')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.countAll<number>().filterWhere('monitored', '=', true).filterWhere('detachedAt', 'is', null).as('monitored'),
      sql<number>`coalesce(sum(length(name)), 0)`.as('letters'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return siteLimitRefusal(offer, person?.plan ?? 'free', sites.monitored + 1) ?? (hasRoomFor(name, sites) ? null : tooManyProperties)
}

/**
 * The id of a future property. Facts are written and published under it before the property exists, so a refused file leaves nothing
 * visible; `noteUnfinished` sees to it that it is deleted.
 */
export async function nextPropertyId(pool: pg.Pool): Promise<number> {
  const answer = await pool.query<{ id: number }>(`SELECT nextval(pg_get_serial_sequence('properties', 'id')) AS id`)
  const id = answer.rows[0]?.id
  if (id === undefined) throw new Error('PostgreSQL returned no property id')
  return id
}

/**
 * Records an import in one transaction: the property if new, the file, and that the property's facts changed.
 * @throws ImportRefusal 403 if another site took the last place meanwhile; 409 if a new property's rows count as abandoned by now
 */
export async function recordImport(
  db: Db,
  target: NewSite & { propertyId: number; known: ImportTarget | undefined },
  record: ImportRecord,
  now: Date,
): Promise<void> {
  const { propertyId, person } = target
  const userId = person.id
  await db.transaction().execute(async (trx) => {
    if (!target.known) {
      await holdRequester(trx, person)
      const refusal = await siteRefusal(trx, target, true)
      if (refusal !== null) throw new ImportRefusal(refusal, { field: 'property' }, 403)
      if (!(await keepUnfinished(trx, propertyId, now)))
        throw new ImportRefusal('The import took too long. Import the files in several parts.', { field: 'file' }, 409)
      await sql`INSERT INTO properties (id, user_id, name, kind, monitored) OVERRIDING SYSTEM VALUE
        VALUES (${propertyId}, ${userId}, ${target.name}, 'imported', true)`.execute(trx)
    }
    const file = {
      fileName: record.fileName,
      rows: record.rows,
      days: record.days,
      startDate: record.start,
      endDate: record.end,
      clicks: record.clicks,
      impressions: record.impressions,
      // node-postgres would send an array as a PostgreSQL array.
      notes: sql<string[]>`${JSON.stringify(record.notes)}::jsonb`,
      // PostgreSQL's own time, so that the order of two imports is always clear.
      importedAt: sql<Date>`clock_timestamp()`,
    }
    const noted = await trx
      .selectFrom('propertySyncs')
      .where('propertyId', '=', propertyId)
      .select('importingLoads')
      .forUpdate()
      .executeTakeFirst()
    // Those of an interrupted import are recorded with the next.
    const loads = jsonOf([...new Set([...(noted?.importingLoads ?? []), ...record.loads])])
    await trx
      .insertInto('imports')
      .values({ propertyId, sha256: record.sha256, ...file, loads })
      .onConflict((oc) => oc.columns(['propertyId', 'sha256']).doUpdateSet({ ...file, loads: sql`imports.loads || excluded.loads` }))
      .execute()
    if (target.known?.kind === 'google') await markOlderDays(trx, propertyId)
    else await markImported(trx, propertyId, record.lastWebDay, now)
    await trx
      .insertInto('people')
      .values({ userId, selectedPropertyId: propertyId })
      .onConflict((row) =>
        row.column('userId').doUpdateSet({ selectedPropertyId: propertyId }).where('people.selectedPropertyId', 'is', null),
      )
      .execute()
    const imported = { property: target.name, file: record.fileName }
    await recordEvent(trx, userId, { kind: 'property-imported', details: imported }, now)
  })
}

/** Google keeps reporting the property's state; for cached answers it matters that there are older days now. */
async function markOlderDays(trx: Db, propertyId: number): Promise<void> {
  await trx
    .insertInto('propertySyncs')
    .values({ propertyId, factsVersion: 1 })
    .onConflict((row) =>
      row.column('propertyId').doUpdateSet((known) => ({
        factsVersion: sql<number>`${known.ref('propertySyncs.factsVersion')} + 1`,
        importingLoads: jsonOf([]),
      })),
    )
    .execute()
}

async function markImported(trx: Db, propertyId: number, lastWebDay: IsoDate | null, now: Date): Promise<void> {
  await trx
    .insertInto('propertySyncs')
    .values({ propertyId, state: 'imported', lastSyncedAt: now, completeThrough: lastWebDay, factsVersion: 1 })
    .onConflict((row) =>
      row.column('propertyId').doUpdateSet((known) => ({
        state: 'imported' as const,
        message: null,
        importingLoads: jsonOf([]),
        lastSyncedAt: now,
        completeThrough: sql<string>`greatest(${known.ref('propertySyncs.completeThrough')}, ${known.ref('excluded.completeThrough')})`,
        factsVersion: sql<number>`${known.ref('propertySyncs.factsVersion')} + 1`,
      })),
    )
    .execute()
}

/** PostgreSQL's code for a lock that wasn't free in time. */
const lockNotAvailable = '55P03'

const importNumbers = ownersLockNumbers('$1', '$2')

type ImportLock = { userId: string; name: string; patienceMs: number }

/**
 * Holds a PostgreSQL lock while `work` runs, so that imports into one property (by person and name, as it need not exist yet) run one after
 * another, across processes too.
 * @param work receives a function that tells whether the lock still holds; its connection may have died
 * @throws ImportRefusal 409 if another import holds it for longer than `patienceMs`: an import that waits here holds a slot that others wait for
 */
export async function withImportLock<T>(
  pool: pg.Pool,
  { userId, name, patienceMs }: ImportLock,
  work: (held: () => boolean) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let lost: Error | undefined
  const onError = (error: Error): void => {
    lost = error
  }
  client.on('error', onError)
  try {
    await client.query(`SET lock_timeout = ${patienceMs}`)
    await client.query(`SELECT pg_advisory_lock(${importNumbers})`, [userId, name]).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === lockNotAvailable)
        throw new ImportRefusal(`Another import into ${shown(name)} is in progress. Try again when it's done.`, { field: 'property' }, 409)
      throw error
    })
    try {
      return await work(() => lost === undefined)
    } finally {
      if (!lost) await client.query(`SELECT pg_advisory_unlock(${importNumbers})`, [userId, name]).catch(onError)
    }
  } finally {
    if (!lost) await client.query(`RESET lock_timeout; ${limitStatements}`).catch(onError)
    client.off('error', onError)
    // A connection that may still hold the lock must not go back to the pool.
    client.release(lost)
  }
}
