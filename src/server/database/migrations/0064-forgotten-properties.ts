import { ofSql } from './of-sql.ts'

/** Properties of deleted accounts whose facts are to be deleted; `hidden` once nothing of them can be read (docs/decisions/0115). */
export const forgottenProperties = ofSql(
  `CREATE TABLE forgotten_properties (
        property_id bigint PRIMARY KEY,
        at timestamptz NOT NULL,
        hidden boolean NOT NULL DEFAULT false)`,
)
