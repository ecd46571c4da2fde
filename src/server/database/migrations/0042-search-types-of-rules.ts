import { ofSql } from './of-sql.ts'

const column = `ADD COLUMN search_type text NOT NULL DEFAULT 'web'
      CHECK (search_type IN ('web', 'image', 'video', 'news', 'discover', 'googleNews'))`

/** Rules about search types other than web. An alert keeps the type it was opened for. */
export const searchTypesOfRules = ofSql(`ALTER TABLE alert_conditions ${column}`, `ALTER TABLE alerts ${column}`)
