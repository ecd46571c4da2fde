import type { FastifyPluginAsync } from 'fastify'
import { type Keyword, keywordEndpoints as endpoints, type KeywordsFileQuery } from '../../contract/keywords.ts'
import { serve } from '../accounts/service.ts'
import type { AskedProperty } from './asked-property.ts'
import { download, sendFile } from '../common/send-file.ts'
import { usualOrder } from './keywords.ts'
import { changeBy, isChangeSort, listAsked } from './of-all.ts'
import type { AnalyticsService } from './service.ts'

/** Routes of keywords (SPEC §7), each list with its file. */
export const keywordRoutes =
  (analytics: AnalyticsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    const { saved } = analytics

    serve(app, endpoints.list, async ({ person, query: named }) => {
      const query = await saved.whole(person, named)
      return listAsked(
        { asked, person, query: { ...query, order: query.order ?? usualOrder(query.sort) } },
        (property, part) => analytics.keywords.list(property, { ...query, ...part }),
        (row) => sortedBy(row, query),
      )
    })

    serve(
      app,
      endpoints.file,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.keywords.file(await asked.own(person, query.property), await saved.whole(person, query))),
      download,
    )

    serve(app, endpoints.opportunities, async ({ person, query: named }) => {
      const query = await saved.whole(person, named)
      return listAsked(
        { asked, person, query: { ...query, order: query.order ?? usualOrder(query.sort) } },
        (property, part) => analytics.keywords.opportunities(property, { ...query, ...part }),
        (row) => sortedBy(row, { ...query, presence: 'current' }),
      )
    })

    serve(
      app,
      endpoints.opportunitiesFile,
      async ({ person, query, reply }) =>
        sendFile(
          reply,
          await analytics.keywords.opportunitiesFile(await asked.own(person, query.property), await saved.whole(person, query)),
        ),
      download,
    )

    serve(app, endpoints.pagesOf, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.rivals.pagesOf(property, query) : []
    })

    serve(app, endpoints.competing, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.rivals.list(property, await saved.whole(person, query)) : []
    })

    serve(
      app,
      endpoints.competingFile,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.rivals.file(await asked.own(person, query.property), await saved.whole(person, query))),
      download,
    )
  }

/** The figures a keyword is sorted by: for a lost one, those it had. */
function sortedBy(row: Keyword, { sort, presence }: Pick<KeywordsFileQuery, 'sort' | 'presence'>): string | number {
  if (isChangeSort(sort)) return changeBy(row, sort)
  if (sort === 'query' || sort === 'opportunityScore' || presence !== 'lost') return row[sort]
  return row.previous?.[sort] ?? 0
}
