import { ofSql } from './of-sql.ts'

/** Views saved without days meant the explorer's 28; its default is now that of all screens. */
export const daysOfViews = ofSql(
  `UPDATE saved_explorations SET content = content || CASE WHEN content = '' THEN '' ELSE '&' END || 'range=28d'
          WHERE kind = 'view' AND content NOT LIKE 'range=%' AND content NOT LIKE '%&range=%'`,
)
