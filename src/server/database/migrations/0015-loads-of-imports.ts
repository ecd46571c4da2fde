import { ofSql } from './of-sql.ts'

/** Imports remember their loads: on a property that Google fills, all others are Google's. */
export const loadsOfImports = ofSql(`ALTER TABLE imports ADD COLUMN loads jsonb NOT NULL DEFAULT '[]'`)
