import { type Filter, readFilters } from '../../../contract/explore/explore.ts'
import { mostSaved, type NewSaved, type Saved, type SavedKind } from '../../../contract/explore/saved.ts'
import { holdPerson, type Person } from '../../accounts/service.ts'
import type { EventBus } from '../../common/events.ts'
import { Refusal } from '../../common/errors.ts'
import { isShownToOthers } from '../../common/shown-to-others.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { StoredSegment } from '../../database/annotation-tables.ts'
import type { Db } from '../../database/open.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Clock } from '../../platform/clock.ts'

/** Maximum number of segments that a refusal names. */
const mostNamed = 20

/** A question about the rows of a segment, and its filters. */
export type WithFilters<Query> = Query & { where?: readonly Filter[] }

/** A person's segments and views. Every query includes the owner. */
export function createSaved({ db, events, clock }: { db: Db; events: EventBus; clock: Clock }) {
  const columns = ['id', 'kind', 'name', 'content'] as const

  /** A segment's name and filters; within a transaction it can't be deleted before that ends. @throws Refusal 404 if it isn't theirs */
  async function segment(userId: string, id: string, trx?: Db): Promise<StoredSegment> {
    const found = (trx ?? db)
      .selectFrom('savedExplorations')
      .where('userId', '=', userId)
      .where('id', '=', Number(id))
      .where('kind', '=', 'segment')
      .select(['name', 'content'])
    const row = await (trx ? found.forKeyShare() : found).executeTakeFirst()
    if (!row) throw new Refusal(404, 'This segment doesn’t exist.', 'segment')
    return { id, ...row }
  }

  return {
    segment,

    async list(person: Person): Promise<Saved[]> {
      const rows = await db
        .selectFrom('savedExplorations')
        .where('userId', '=', person.id)
        .select(columns)
        .orderBy((eb) => eb.fn('lower', ['name']))
        .execute()
      return rows.map(toSaved)
    },

    /** A question together with the filters of the segment it names, which come first. @throws Refusal 404 if it isn't theirs */
    async whole<Query extends WithFilters<{ segment?: string | undefined }>>(
      person: Person,
      query: Query,
    ): Promise<Query & { where: readonly Filter[] }> {
      const filters = query.segment === undefined ? [] : readFilters((await segment(person.id, query.segment)).content).filters
      return { ...query, where: [...filters, ...(query.where ?? [])] }
    },

    /** The filters of the segment with this name, regardless of case; none without a name. @throws Refusal 404 with the names there are */
    async filtersNamed(person: Person, name: string | undefined): Promise<Filter[]> {
      if (name === undefined) return []
      const segments = (await this.list(person)).filter(({ kind }) => kind === 'segment')
      const found = segments.find((each) => each.name.toLowerCase() === name.toLowerCase())
      if (found) return readFilters(found.content).filters
      const names = segments.slice(0, mostNamed).map((each) => `“${each.name}”`)
      throw new Refusal(
        404,
        `There’s no segment called “${name}”. ${names.length === 0 ? 'You have no saved segments.' : `Saved segments: ${names.join(', ')}.`}`,
        'segment',
      )
    },

    /** The person's row is locked, so that two requests can't both take the last place. @throws Refusal 409 */
    add(person: Person, { kind, name, content }: NewSaved): Promise<Saved> {
      return named(kind, name, () =>
        inTransaction(db, async (trx) => {
          await holdPerson(trx, person)
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

    /** Whether a segment's name is in the titles of reports that others get. */
    showsOthers: (person: Person, id: string): Promise<boolean> => isShownToOthers(db, person, { segment: Number(id) }, clock.now()),

    /** @throws Refusal 404 if it isn't theirs, 409 if another one has the name */
    rename(person: Person, id: string, name: string): Promise<Saved> {
      return named(null, name, () =>
        inTransaction(db, async (trx) => {
          await holdPerson(trx, person)
          const row = await trx
            .updateTable('savedExplorations')
            .set({ name })
            .where('userId', '=', person.id)
            .where('id', '=', Number(id))
            .returning(columns)
            .executeTakeFirst()
          if (!row) throw notTheirs()
          return toSaved(row)
        }),
      )
    },

    /** @throws Refusal 404 if it isn't theirs, 409 with what uses it */
    async remove(person: Person, id: string): Promise<void> {
      await inTransaction(db, async (trx) => {
        // Whatever begins to use a segment locks it, too.
        const row = await trx
          .selectFrom('savedExplorations')
          .where('userId', '=', person.id)
          .where('id', '=', Number(id))
          .select('id')
          .forUpdate()
          .executeTakeFirst()
        if (!row) throw notTheirs()
        const usedBy: string[] = []
        await events.emit('segmentLeaving', { segmentId: row.id, transaction: trx, usedBy })
        if (usedBy.length > 0) throw new Refusal(409, inUse(usedBy))
        await trx.deleteFrom('savedExplorations').where('id', '=', row.id).execute()
      })
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

const toSaved = ({ id, ...row }: { id: number; kind: SavedKind; name: string; content: string }): Saved => ({ id: String(id), ...row })
/** Maximum number of uses of a segment that a refusal names. */
const mostUsers = 5
function inUse(usedBy: readonly string[]): string {
  const first = usedBy.slice(0, mostUsers).join(', ')
  const more = usedBy.length > mostUsers ? `, and ${usedBy.length - mostUsers} more` : ''
  return `This segment is used by ${first}${more}. Choose another segment in those places first.`
}
const notTheirs = (): Refusal => new Refusal(404, 'This segment or view doesn’t exist.')

async function named<T>(kind: SavedKind | null, name: string, save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal(409, `Another ${kind ?? 'one'} is already called “${name}”.`, 'name')
    throw error
  }
}
