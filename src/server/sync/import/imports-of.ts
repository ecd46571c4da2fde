import type { Db } from '../../database/open.ts'

/** The files a person imported, oldest first. */
export async function importsOf(db: Db, userId: string) {
  return db
    .selectFrom('imports')
    .innerJoin('properties', 'properties.id', 'imports.propertyId')
    .where('properties.userId', '=', userId)
    .select(['properties.name as property', 'imports.fileName', 'imports.sha256', 'imports.importedAt'])
    .select([
      'imports.rows',
      'imports.days',
      'imports.startDate',
      'imports.endDate',
      'imports.clicks',
      'imports.impressions',
      'imports.notes',
    ])
    .orderBy('imports.importedAt')
    .execute()
}
