import { sql } from 'kysely'
import { holdPerson, type Requester } from '../accounts/service.ts'
import type { Incident, NewNote, Note, NoteChange } from '../../contract/annotations.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Db } from '../database/open.ts'

/** Maximum notes per user: all notes on a property come in one response. */
export const mostNotes = 2_000
/** Maximum characters in the names of the properties of a user's notes: each note names its own. */
const mostNameCharacters = 1_000_000

export type Period = { from?: string | undefined; to?: string | undefined }
type Days = { from: string; to: string }

export function createAnnotationsStore(db: Db) {
  /** A user's notes, without those of a disconnected Google account. */
  const owned = (trx: Db, userId: string) =>
    trx
      .selectFrom('annotations')
      .leftJoin('properties', 'properties.id', 'annotations.propertyId')
      .where('annotations.userId', '=', userId)
      .where((eb) => eb.or([eb('annotations.propertyId', 'is', null), eb('properties.detachedAt', 'is', null)]))
      .select(['annotations.id', 'annotations.date', 'annotations.text', 'annotations.inReports', 'properties.name as property'])

  const one = async (trx: Db, userId: string, id: number): Promise<Note | null> => {
    const row = await owned(trx, userId).where('annotations.id', '=', id).executeTakeFirst()
    return row ? toNote(row) : null
  }

  return {
    /** Null if it isn't theirs. */
    find: (userId: string, id: string): Promise<Note | null> => one(db, userId, Number(id)),

    /** Newest first; `of`: those on this property and on all of them, only those on all (null), or every note. */
    async list(userId: string, of: number | null | 'every', { from, to }: Period): Promise<Note[]> {
      let notes = owned(db, userId)
      if (of === null) notes = notes.where('annotations.propertyId', 'is', null)
      else if (of !== 'every')
        notes = notes.where((eb) => eb.or([eb('annotations.propertyId', 'is', null), eb('annotations.propertyId', '=', of)]))
      if (from !== undefined) notes = notes.where('annotations.date', '>=', from)
      if (to !== undefined) notes = notes.where('annotations.date', '<=', to)
      const rows = await notes.orderBy('annotations.date', 'desc').orderBy('annotations.id', 'desc').execute()
      return rows.map(toNote)
    },

    /** Those of these properties that are marked for their reports. */
    async inReports(userId: string, propertyIds: readonly number[], { from, to }: Days): Promise<Note[]> {
      const rows = await owned(db, userId)
        .where(sql<boolean>`annotations.property_id = any(${propertyIds})`)
        .where('annotations.inReports', '=', true)
        .where('annotations.date', '>=', from)
        .where('annotations.date', '<=', to)
        .orderBy('annotations.id')
        .execute()
      return rows.map(toNote)
    },

    async add(
      person: Requester,
      { date, text, property, inReports }: NewNote,
      now: Date,
      within: Db = db,
    ): Promise<Note | 'unknown' | 'full' | 'long'> {
      return inTransaction(within, async (trx) => {
        await holdPerson(trx, person)
        const userId = person.id
        const propertyId = property === null ? null : await ownPropertyId(trx, userId, property)
        if (propertyId === undefined) return 'unknown'
        const { count, characters } = await trx
          .selectFrom('annotations')
          .leftJoin('properties', 'properties.id', 'annotations.propertyId')
          .where('annotations.userId', '=', userId)
          .select((eb) => [
            eb.fn.countAll<number>().as('count'),
            sql<number>`coalesce(sum(length(properties.name)), 0)::integer`.as('characters'),
          ])
          .executeTakeFirstOrThrow()
        if (count >= mostNotes) return 'full'
        if (characters + (property?.length ?? 0) > mostNameCharacters) return 'long'
        const { id } = await trx
          .insertInto('annotations')
          .values({ userId, propertyId, date, text, inReports, createdAt: now })
          .returning('id')
          .executeTakeFirstOrThrow()
        return { id: String(id), date, text, property, inReports }
      })
    },

    /** Null if it isn't theirs; `everywhere`: it is on all properties, so it can't appear in reports. */
    async change(person: Requester, id: string, change: NoteChange, within: Db = db): Promise<Note | null | 'everywhere'> {
      return inTransaction(within, async (trx) => {
        await holdPerson(trx, person)
        const userId = person.id
        const found = await owned(trx, userId).where('annotations.id', '=', Number(id)).forUpdate('annotations').executeTakeFirst()
        if (!found) return null
        const { date = found.date, text = found.text, inReports = found.inReports } = change
        if (inReports && found.property === null) return 'everywhere'
        await trx.updateTable('annotations').set({ date, text, inReports }).where('id', '=', found.id).execute()
        return one(trx, userId, found.id)
      })
    },

    async remove(userId: string, id: string, within: Db = db): Promise<boolean> {
      const removed = await within
        .deleteFrom('annotations')
        .where('id', 'in', owned(within, userId).where('annotations.id', '=', Number(id)).clearSelect().select('annotations.id'))
        .executeTakeFirst()
      return removed.numDeletedRows > 0n
    },

    /** All of a user's notes, including those of a disconnected Google account. */
    exported: (userId: string) =>
      db
        .selectFrom('annotations')
        .leftJoin('properties', 'properties.id', 'annotations.propertyId')
        .where('annotations.userId', '=', userId)
        .select(['annotations.date', 'annotations.text', 'annotations.inReports', 'properties.name as property', 'annotations.createdAt'])
        .orderBy('annotations.date')
        .orderBy('annotations.id')
        .execute(),
  }
}

async function ownPropertyId(trx: Db, userId: string, name: string): Promise<number | undefined> {
  // No property name contains a null byte, and PostgreSQL rejects it in a query.
  if (name.includes('\0')) return undefined
  const row = await trx
    .selectFrom('properties')
    .where('userId', '=', userId)
    .where('detachedAt', 'is', null)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  return row?.id
}

const toNote = ({ id, ...note }: Omit<Note, 'id'> & { id: number }): Note => ({ ...note, id: String(id) })

/** Incidents read from Google's dashboard. None is ever deleted: the feed only lists the last few. */
export function createIncidentsStore(db: Db) {
  return {
    /** Those of one dashboard; incidents of any other, such as a stand-in's, are ignored. */
    list: (base: string): Promise<Incident[]> =>
      db
        .selectFrom('rankingIncidents')
        .where(sql<boolean>`starts_with(url, ${`${base}/`})`)
        .select(['id', 'title', 'starts as start', 'ends as end', 'url'])
        .orderBy('starts', 'desc')
        .execute(),

    async save(incidents: readonly Incident[]): Promise<void> {
      if (incidents.length === 0) return
      await db
        .insertInto('rankingIncidents')
        .values(incidents.map(({ id, title, start, end, url }) => ({ id, title, starts: start, ends: end, url })))
        .onConflict((oc) =>
          oc.column('id').doUpdateSet(({ ref }) => ({
            title: ref('excluded.title'),
            starts: ref('excluded.starts'),
            ends: ref('excluded.ends'),
            url: ref('excluded.url'),
          })),
        )
        .execute()
    },
  }
}
