import { sql } from 'kysely'
import type { Incident } from '../../contract/annotations.ts'
import type { Db } from '../database/open.ts'

/** Incidents read from Google's dashboard. None is ever deleted: the feed only lists the last few. */
export function createIncidentsStore(db: Db) {
  return {
    /** Those of one dashboard; incidents of any other, such as a stand-in's, are ignored. */
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
