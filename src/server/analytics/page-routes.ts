import type { FastifyPluginAsync } from 'fastify'
import { type Page, pageEndpoints as endpoints, type PageListSort } from '../../contract/pages.ts'
import { serve } from '../accounts/service.ts'
import type { AskedProperty } from './asked-property.ts'
import { download, sendFile } from '../common/send-file.ts'
import { changeBy, isChangeSort, listAsked } from './of-all.ts'
import type { AnalyticsService } from './service.ts'

/** Routes of pages (SPEC §7), each list with its file. */
export const pageRoutes =
  (analytics: AnalyticsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    const { saved } = analytics

    serve(app, endpoints.list, async ({ person, query: named }) => {
      const query = await saved.whole(person, named)
      return listAsked(
        { asked, person, query },
        // Each property's rows would need a question of their own.
        (property, part) => analytics.pages.list(property, { ...query, ...part, ...(query.property === 'all' && { trend: undefined }) }),
        (row) => sortedBy(row, query.sort),
      )
    })

    serve(
      app,
      endpoints.file,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.pages.file(await asked.own(person, query.property), await saved.whole(person, query))),
      download,
    )

    serve(app, endpoints.keywordsOf, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.pages.keywordsOf(property, query) : []
    })

    serve(app, endpoints.decay, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && analytics.pages.decay(property, await saved.whole(person, query))
    })

    serve(
      app,
      endpoints.decayFile,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.pages.decayFile(await asked.own(person, query.property), await saved.whole(person, query))),
      download,
    )
  }

function sortedBy(row: Page, sort: PageListSort): string | number {
  if (isChangeSort(sort)) return changeBy(row, sort)
  return sort === 'page' ? row.page : Number(row[sort])
}
