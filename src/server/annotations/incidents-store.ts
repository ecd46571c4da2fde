import { sql } from 'kysely'
import type { Incident } from '../../contract/annotations.ts'
import type { Db } from '../database/open.ts'

/** What was read of Google's dashboard. Nothing is ever forgotten: its feed only tells the last few. */
export function createIncidentsStore(db: Db) {
  return {
    /** Those of a dashboard; what was read of another one, such as a stand-in's, is nobody's business. */
    list: (base: string): Promise<Incident[]> =>
      db
        .selectFrom('rankingIncidents')
        .where(sql<boolean>`starts_with(url, ${`${base}/`})`)
        .select(['id', 'title', 'starts as start', 'ends as end', 'url'])
        .orderBy('starts', 'desc')
        .execute(),

    async save(incidents: readonly Incident[]): Promise<void> {
      if (incidents.length === 0) return
      await db
        .insertInto('rankingIncidents')
        .values(incidents.map(({ id, title, start, end, url }) => ({ id, title, starts: start, ends: end, url })))
        .onConflict((oc) =>
          oc.column('id').doUpdateSet(({ ref }) => ({
            title: ref('excluded.title'),
            starts: ref('excluded.starts'),
            ends: ref('excluded.ends'),
            url: ref('excluded.url'),
          })),
        )
        .execute()
    },
  }
}
