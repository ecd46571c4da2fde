import { ofSql } from './of-sql.ts'

/** The next sync of each property asks which search types it has, as Google News is one of them now. */
export const googleNews = ofSql(`UPDATE property_syncs SET types_probed_at = NULL`)
