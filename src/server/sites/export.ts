import type { Db } from '../database/open.ts'

/** Every property of a person, those of a Google account that is disconnected now included: their facts are still held. */
export async function exportedProperties(db: Db, userId: string) {
  return db
    .selectFrom('properties')
    .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .leftJoin('people', 'people.selectedPropertyId', 'properties.id')
    .where('properties.userId', '=', userId)
    .select(['properties.id', 'properties.name', 'properties.kind', 'properties.permissionLevel', 'properties.monitored'])
    .select(['properties.pausedAt', 'properties.detachedAt', 'properties.createdAt', 'properties.brandTerms'])
    .select(['propertySyncs.state as syncState', 'propertySyncs.lastSyncedAt', 'propertySyncs.completeThrough'])
    .select(({ eb }) => eb('people.userId', 'is not', null).as('selected'))
    .orderBy('properties.id')
    .execute()
}
