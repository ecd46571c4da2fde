import { ofSql } from './of-sql.ts'

/** Tags on people's properties. */
export const propertyTags = ofSql(`ALTER TABLE properties ADD COLUMN tags text[] NOT NULL DEFAULT '{}'`)
