import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { importedRows } from '../../facts/row-counts.ts'
import type { FactsStore } from '../../facts/store.ts'

// Which stored loads came from files: the facts don't say (docs/decisions/0037).

/** How many rows from files this person has stored. */
export async function storedRows(db: Db, facts: Pick<FactsStore, 'ask'>, userId: string): Promise<number> {
  const imported = await db
    .selectFrom('properties')
    .leftJoin('imports', 'imports.propertyId', 'properties.id')
    .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .where('properties.userId', '=', userId)
    .where((eb) =>
      eb.or([
        eb('properties.kind', '=', 'imported'),
        eb('imports.id', 'is not', null),
        eb('propertySyncs.importingLoads', '<>', sql<number[]>`'[]'::jsonb`),
      ]),
    )
    .select(['properties.id', 'properties.kind', 'imports.loads', 'propertySyncs.importingLoads'])
    .execute()
  return facts.ask(importedRows, {
    properties: [...new Set(imported.map(({ id }) => id))],
    filesOnly: [...new Set(imported.filter(({ kind }) => kind === 'imported').map(({ id }) => id))],
    loads: [...new Set(imported.flatMap(({ loads, importingLoads }) => [...(loads ?? []), ...(importingLoads ?? [])]))],
  })
}

/** node-postgres would send an array as a PostgreSQL array. */
export const jsonOf = (loads: readonly number[]) => sql<number[]>`${JSON.stringify(loads)}::jsonb`

/**
 * Notes the loads of an import into a known property before they are visible. If it is interrupted before it is recorded, importing the
 * same files again records them; otherwise they would count as Google's, whose days no file replaces.
 */
export async function noteLoads(db: Db, propertyId: number, loads: readonly number[]): Promise<void> {
  await db
    .insertInto('propertySyncs')
    .values({ propertyId, importingLoads: jsonOf(loads) })
    .onConflict((row) =>
      row.column('propertyId').doUpdateSet({ importingLoads: sql`property_syncs.importing_loads || excluded.importing_loads` }),
    )
    .execute()
}

/** The loads that came from files into a property, those of an interrupted import included. */
export async function loadsOfFiles(db: Db, propertyId: number): Promise<Set<number>> {
  const imports = await db.selectFrom('imports').where('propertyId', '=', propertyId).select('loads').execute()
  const unrecorded = await db.selectFrom('propertySyncs').where('propertyId', '=', propertyId).select('importingLoads as loads').execute()
  return new Set([...imports, ...unrecorded].flatMap(({ loads }) => loads))
}
