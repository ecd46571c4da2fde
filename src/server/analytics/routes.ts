import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { analyticsEndpoints } from '../../contract/analytics.ts'
import { brandEndpoints } from '../../contract/brand.ts'
import { exploreEndpoints } from '../../contract/explore/explore.ts'
import { savedEndpoints } from '../../contract/explore/saved.ts'
import { historyEndpoints } from '../../contract/history.ts'
import { keywordEndpoints } from '../../contract/keywords.ts'
import { metricsEndpoints } from '../../contract/metrics.ts'
import { pageEndpoints } from '../../contract/pages.ts'
import { defaultHistory } from '../../contract/range.ts'
import { searchEndpoints } from '../../contract/search.ts'
import { todayEndpoints } from '../../contract/today.ts'
import { type Person, type ReportProperty, serve } from '../accounts/service.ts'
import { type CsvFile, download, sendFile } from '../common/send-file.ts'
import type { FactsStore } from '../facts/store.ts'
import type { SitesService } from '../sites/service.ts'
import { requestedProperty, type CompleteProperty, isComplete } from './requested-property.ts'
import { usualOrder } from './keywords.ts'
import { keywordSortedBy, listAsked, pageSortedBy } from './all-properties.ts'
import { pageOf } from './pages.ts'
import type { AnalyticsService } from './service.ts'

export type AnalyticsRoutesDeps = { analytics: AnalyticsService; sites: SitesService; facts: FactsStore }

type Query = { property?: string | undefined; segment?: string | undefined }
type Asked<Q> = { person: Person; query: Query & Q }
type Ask = ReturnType<typeof answering>

/** How most requests are answered: about the property they name, else the selected one. */
function answering({ analytics, sites, facts }: AnalyticsRoutesDeps) {
  const asked = requestedProperty(sites)
  return {
    asked,
    facts,

    /** The answer about a property with complete days; `none` if there are none. */
    complete:
      <Q, A, N>(none: N, answer: (property: CompleteProperty, query: Q, person: Person) => Promise<A>) =>
      async ({ person, query }: Asked<Q>): Promise<A | N> => {
        const property = await asked.complete(person, query.property)
        return property ? answer(property, query, person) : none
      },

    /** A file with everything that the filters of the segment let through. */
    file:
      <Q>(make: (property: ReportProperty, query: Q) => Promise<CsvFile>) =>
      async ({ person, query, reply }: Asked<Q> & { reply: FastifyReply }): Promise<FastifyReply> =>
        sendFile(reply, await make(await asked.own(person, query.property), await analytics.saved.whole(person, query))),
  }
}

/** Answers from stored data (SPEC §7). Null, or an empty list, while there is no data. */
export const analyticsRoutes =
  (deps: AnalyticsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const { analytics } = deps
    const ask = answering(deps)
    overviewRoutes(app, analytics, ask)
    keywordRoutes(app, analytics, ask)
    pageRoutes(app, analytics, ask)
    brandTermRoutes(app, analytics, ask)
    exploreRoutes(app, analytics, ask)
  }

/** Everything above and beside the lists, and the command palette. */
function overviewRoutes(app: FastifyInstance, analytics: AnalyticsService, { asked, complete, file }: Ask): void {
  const { overview } = analytics
  serve(app, metricsEndpoints.read, async ({ person, query }) => {
    const property = await asked.any(person, query.property)
    if (property === null) return null
    const { where } = await analytics.saved.whole(person, query)
    const { type, range, compare } = query
    if (range === undefined && compare === undefined) return analytics.metrics(property, { type, where })
    const chosen = { range: range ?? defaultHistory.range, compare: compare ?? defaultHistory.compare }
    return isComplete(property) ? analytics.chosenMetrics(property, chosen, { type, where }) : null
  })
  serve(app, todayEndpoints.read, async ({ person, query }) => analytics.today(person, await asked.any(person, query.property)))
  serve(app, historyEndpoints.read, async ({ person, query }) => {
    const property = await asked.complete(person, query.property)
    const { where } = await analytics.saved.whole(person, query)
    return property && analytics.history(property, query, { type: query.type, where })
  })
  serve(app, analyticsEndpoints.summary, complete(null, overview.summary))
  serve(app, analyticsEndpoints.segments, complete([], overview.segments))
  serve(app, analyticsEndpoints.searchTypes, complete([], analytics.searchTypes))
  serve(app, analyticsEndpoints.days, complete(null, overview.days))
  serve(app, analyticsEndpoints.dailyFile, file(overview.dailyFile), download)
  serve(app, searchEndpoints.find, complete({ keywords: [], pages: [] }, analytics.find))
}

/** Keywords (SPEC §7), each list with its file. */
function keywordRoutes(app: FastifyInstance, { keywords, rivals, saved }: AnalyticsService, { asked, facts, complete, file }: Ask): void {
  serve(app, keywordEndpoints.list, async ({ person, query: named }) => {
    const query = await saved.whole(person, named)
    return listAsked(
      { asked, facts, person, query: { ...query, order: query.order ?? usualOrder(query.sort) }, grain: 'query' },
      (property, part) => keywords.list(property, { ...query, ...part }),
      { list: (property) => keywords.all(property, query), by: keywordSortedBy(query), shown: (row) => row },
    )
  })
  serve(app, keywordEndpoints.file, file(keywords.file), download)
  serve(app, keywordEndpoints.opportunities, async ({ person, query: named }) => {
    const query = await saved.whole(person, named)
    return listAsked(
      { asked, facts, person, query: { ...query, order: query.order ?? usualOrder(query.sort) }, grain: 'query' },
      (property, part) => keywords.opportunities(property, { ...query, ...part }),
      {
        list: (property) => keywords.allOpportunities(property, query),
        by: keywordSortedBy({ ...query, presence: 'current' }),
        shown: (row) => row,
      },
    )
  })
  serve(app, keywordEndpoints.opportunitiesFile, file(keywords.opportunitiesFile), download)
  serve(app, keywordEndpoints.pagesOf, complete([], rivals.pagesOf))
  serve(
    app,
    keywordEndpoints.competing,
    complete([], async (property, query, person) => rivals.list(property, await saved.whole(person, query))),
  )
  serve(app, keywordEndpoints.competingFile, file(rivals.file), download)
}

/** Pages (SPEC §7), each list with its file. */
function pageRoutes(app: FastifyInstance, { pages, saved }: AnalyticsService, { asked, facts, complete, file }: Ask): void {
  serve(app, pageEndpoints.list, async ({ person, query: named }) => {
    const query = await saved.whole(person, named)
    return listAsked(
      { asked, facts, person, query, grain: 'page' },
      (property, part) => pages.list(property, { ...query, ...part }),
      // Without trends: each property's rows would need a question of their own.
      { list: (property) => pages.all(property, query), by: pageSortedBy(query), shown: pageOf },
    )
  })
  serve(app, pageEndpoints.file, file(pages.file), download)
  serve(app, pageEndpoints.keywordsOf, complete([], pages.keywordsOf))
  serve(
    app,
    pageEndpoints.decay,
    complete(null, async (property, query, person) => pages.decay(property, await saved.whole(person, query))),
  )
  serve(app, pageEndpoints.decayFile, file(pages.decayFile), download)
}

/** Brand terms and the brand split. */
function brandTermRoutes(app: FastifyInstance, { brand }: AnalyticsService, { asked, complete }: Ask): void {
  serve(app, brandEndpoints.read, async ({ person, query }) => {
    const property = await asked.any(person, query.property)
    return property && brand.of(property)
  })
  serve(app, brandEndpoints.save, async ({ person, query, body }) =>
    brand.save(person.id, await asked.own(person, query.property), body.terms),
  )
  serve(app, brandEndpoints.split, complete(null, brand.split))
}

/** The explorer: a property's stored data by any of its dimensions (OPEN-POINTS 26). */
function exploreRoutes(app: FastifyInstance, { explore, saved }: AnalyticsService, { complete, file }: Ask): void {
  serve(
    app,
    exploreEndpoints.read,
    complete(null, async (property, query, person) => explore.read(property, await saved.whole(person, query))),
  )
  serve(
    app,
    exploreEndpoints.history,
    complete(null, async (property, query, person) => explore.history(property, await saved.whole(person, query))),
  )
  serve(
    app,
    exploreEndpoints.changes,
    complete(null, async (property, query, person) => explore.changes(property, await saved.whole(person, query))),
  )
  serve(app, exploreEndpoints.file, file(explore.file), download)
  serve(app, savedEndpoints.list, ({ person }) => saved.list(person))
  serve(app, savedEndpoints.add, ({ person, body }) => saved.add(person, body))
  serve(app, savedEndpoints.rename, ({ person, params, body }) => saved.rename(person, params.id, body.name), {
    needsProof: (person, _body, { id }) => saved.showsOthers(person, id),
  })
  serve(app, savedEndpoints.remove, ({ person, params }) => saved.remove(person, params.id))
}
