import type { Db } from '../../database/open.ts'

/** Imports read at once: a file's name and notes may be thousands of characters. */
const atOnce = 200

/** A person's imported files after one of them, oldest first. */
export const importsAfter = (db: Db, userId: string, id: number) =>
  db
    .selectFrom('imports')
    .innerJoin('properties', 'properties.id', 'imports.propertyId')
    .where('properties.userId', '=', userId)
    .where('imports.id', '>', id)
    .select(['imports.id', 'properties.name as property', 'imports.fileName', 'imports.sha256', 'imports.importedAt'])
    .select([
      'imports.rows',
      'imports.days',
      'imports.startDate',
      'imports.endDate',
      'imports.clicks',
      'imports.impressions',
      'imports.notes',
    ])
    .orderBy('imports.id')
    .limit(atOnce)
    .execute()
