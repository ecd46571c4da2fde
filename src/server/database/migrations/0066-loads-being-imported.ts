import { ofSql } from './of-sql.ts'

/** Loads of imports that become visible before the import is recorded. */
export const loadsBeingImported = ofSql(`ALTER TABLE property_syncs ADD COLUMN importing_loads jsonb NOT NULL DEFAULT '[]'`)
