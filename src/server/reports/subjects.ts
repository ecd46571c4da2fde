import type { ReportSubject } from '../../contract/reports/reports.ts'
import type { ReportProperty } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'

export type SubjectIds = { propertyId: number | null; clientId: number | null }
/** A property that counts among those that are reported on is watched and attached. */
export type ReportedProperty = ReportProperty & { monitored: boolean }
export type Subject = SubjectIds & { title: string; properties: ReportedProperty[] }

const ofPerson = (db: Db, userId: string) =>
  db
    .selectFrom('properties')
    .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .where('properties.userId', '=', userId)
    .where('properties.detachedAt', 'is', null)
    .select(['properties.id', 'properties.name', 'properties.monitored', 'propertySyncs.completeThrough'])
    .select((eb) => eb.fn.coalesce('propertySyncs.factsVersion', eb.lit(0)).as('factsVersion'))
    .orderBy('properties.name')

/** What a person asks for a report about; null when it is not theirs. */
export async function findSubject(db: Db, userId: string, subject: ReportSubject): Promise<Subject | null> {
  if ('client' in subject) return loadSubject(db, userId, { propertyId: null, clientId: idOf(subject.client) })
  const property = await ofPerson(db, userId).where('properties.name', '=', subject.property).executeTakeFirst()
  return property ? { propertyId: property.id, clientId: null, title: property.name, properties: [property] } : null
}

/** The same by what is stored of it; null when it is theirs no longer. A client is without properties that are not watched now. */
export async function loadSubject(db: Db, userId: string, ids: SubjectIds): Promise<Subject | null> {
  if (ids.propertyId !== null) {
    const property = await ofPerson(db, userId).where('properties.id', '=', ids.propertyId).executeTakeFirst()
    return property ? { ...ids, title: property.name, properties: [property] } : null
  }
  const client = await db
    .selectFrom('reportClients')
    .where('userId', '=', userId)
    .where('id', '=', ids.clientId)
    .select(['id', 'name'])
    .executeTakeFirst()
  if (!client) return null
  const properties = await ofPerson(db, userId)
    .where('properties.monitored', '=', true)
    .innerJoin('reportClientProperties', 'reportClientProperties.propertyId', 'properties.id')
    .where('reportClientProperties.clientId', '=', client.id)
    .execute()
  return { ...ids, title: client.name, properties }
}

/** Ids count up; whatever is no number is of nobody. */
export const idOf = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)
