import type { Sql } from '../../test/support/stores.ts'
import type { Inhabitant } from '../people.ts'

/** At rest: exactly the fallen pages have an ongoing alert, and only one each. */
export async function checkAlerts(sql: Sql, people: readonly Inhabitant[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, ruleId, fallen } of people) {
    const open = await sql<{ entity_name: string }>(
      'SELECT entity_name FROM alerts WHERE condition_id = $1 AND recovered_at IS NULL ORDER BY entity_name',
      [ruleId],
    )
    const found = open.map(({ entity_name: page }) => page)
    const wanted = [...fallen].toSorted()
    if (found.join() !== wanted.join())
      wrong.push(`${name} should have alerts for ${wanted.join(', ') || 'nothing'} but has them for ${found.join(', ') || 'nothing'}`)
  }
  const twice = await sql<{ alerts: string }>(
    `SELECT string_agg(id::text, ', ') AS alerts FROM alerts WHERE recovered_at IS NULL AND condition_id IS NOT NULL
     GROUP BY condition_id, entity_kind, entity_name HAVING count(*) > 1`,
  )
  return [...wrong, ...twice.map(({ alerts }) => `alerts ${alerts} have the same rule and page`)]
}
