import { ofSql } from './of-sql.ts'

/** Tells requests that came in before everything giving others access was ended from later ones. */
export const accessVersion = ofSql('ALTER TABLE people ADD COLUMN access_version integer NOT NULL DEFAULT 0')
