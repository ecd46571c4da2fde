import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../database/open.ts'
import type { Database } from '../database/tables.ts'
import type { Owned } from './leases.ts'
import { placesOfPerson } from './line.ts'

/** Due properties looked up of one person: twice their places, since some may be in line already. */
const dueOfPerson = 2 * placesOfPerson
/** Due properties looked up at once: what many workers do in a minute. */
const dueAtOnce = 20_000

/** What is due, with the place that each property has among those of its owner, from 1. */
type Due = SelectQueryBuilder<Database, never, Owned & { place: number }>

/** Of what is due, one property of each person before the second of any, and of each as many as there may be places for. */
export function inTurns(db: Db, due: Due): Promise<Owned[]> {
  return db
    .selectFrom(due.as('due'))
    .where('place', '<=', dueOfPerson)
    .select(['propertyId', 'userId'])
    .orderBy('place')
    .orderBy('propertyId')
    .limit(dueAtOnce)
    .execute()
}
