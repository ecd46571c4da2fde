import { type Filter, readFilters } from '../../../contract/explore/explore.ts'
import { mostSaved, type NewSaved, type Saved, type SavedKind } from '../../../contract/explore/saved.ts'
import type { Person } from '../../accounts/service.ts'
import { Refusal } from '../../common/errors.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Db } from '../../database/open.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Clock } from '../../platform/clock.ts'

/** A person's segments and views. Every query includes the owner. */
export function createSaved({ db, clock }: { db: Db; clock: Clock }) {
  const columns = ['id', 'kind', 'name', 'content'] as const

  return {
    async list(person: Person): Promise<Saved[]> {
      const rows = await db
        .selectFrom('savedExplorations')
        .where('userId', '=', person.id)
        .select(columns)
        .orderBy((eb) => eb.fn('lower', ['name']))
        .execute()
      return rows.map(toSaved)
    },

    /** The filters of a segment. @throws Refusal 404 if it isn't theirs */
    async filtersOf(person: Person, id: string): Promise<Filter[]> {
      const row = await db
        .selectFrom('savedExplorations')
        .where('userId', '=', person.id)
        .where('id', '=', Number(id))
        .where('kind', '=', 'segment')
        .select('content')
        .executeTakeFirst()
      if (!row) throw new Refusal(404, 'This segment doesn’t exist.', 'segment')
      return readFilters(row.content).filters
    },

    /** The person's row is locked, so that two requests can't both take the last place. @throws Refusal 409 */
    add(person: Person, { kind, name, content }: NewSaved): Promise<Saved> {
      return named(kind, name, () =>
        inTransaction(db, async (trx) => {
          await trx.selectFrom('people').where('userId', '=', person.id).select('userId').forUpdate().execute()
          const { count } = await trx
            .selectFrom('savedExplorations')
            .where('userId', '=', person.id)
            .where('kind', '=', kind)
            .select((eb) => eb.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow()
          if (count >= mostSaved) throw new Refusal(409, `You’ve reached the limit of ${mostSaved} ${kind}s. Delete some to add more.`)
          const row = await trx
            .insertInto('savedExplorations')
            .values({ userId: person.id, kind, name, content, createdAt: clock.now() })
            .returning(columns)
            .executeTakeFirstOrThrow()
          return toSaved(row)
        }),
      )
    },

    /** @throws Refusal 404 if it isn't theirs, 409 if another one has the name */
    rename(person: Person, id: string, name: string): Promise<Saved> {
      return named(null, name, async () => {
        const row = await db
          .updateTable('savedExplorations')
          .set({ name })
          .where('userId', '=', person.id)
          .where('id', '=', Number(id))
          .returning(columns)
          .executeTakeFirst()
        if (!row) throw notTheirs()
        return toSaved(row)
      })
    },

    /** @throws Refusal 404 if it isn't theirs */
    async remove(person: Person, id: string): Promise<void> {
      const removed = await db
        .deleteFrom('savedExplorations')
        .where('userId', '=', person.id)
        .where('id', '=', Number(id))
        .executeTakeFirst()
      if (removed.numDeletedRows === 0n) throw notTheirs()
    },

    /** Everything a person saved, for their export. */
    exportOf: (userId: string) =>
      db
        .selectFrom('savedExplorations')
        .where('userId', '=', userId)
        .select(['kind', 'name', 'content', 'createdAt'])
        .orderBy('id')
        .execute(),
  }
}
export type SavedExplorations = ReturnType<typeof createSaved>

const toSaved = ({ id, ...row }: { id: number; kind: SavedKind; name: string; content: string }): Saved => ({ id: String(id), ...row })
const notTheirs = (): Refusal => new Refusal(404, 'This segment or view doesn’t exist.')

async function named<T>(kind: SavedKind | null, name: string, save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal(409, `Another ${kind ?? 'one'} is already called “${name}”.`, 'name')
    throw error
  }
}
