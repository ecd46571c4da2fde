import { apiExportEndpoints as endpoints } from '../../../contract/api-v1/figures.ts'
import { propertyNamed } from '../asked-property.ts'
import { type ApiContext, fileOperation, type Operation } from '../operation.ts'

const property = 'sc-domain:example.com'
const csv = 'A CSV file in UTF-8 with a header line, streamed. CTR is a fraction.'

/** With the filters of its segment. */
const whole = <Query extends { segment?: string | undefined }>({ person, services }: ApiContext, query: Query) =>
  services.analytics.saved.whole(person, query)

export const exportOperations: readonly Operation[] = [
  fileOperation({
    id: 'exportKeywords',
    endpoint: endpoints.exportKeywords,
    summary: 'Export keywords',
    description: `All matching keywords, as listed by \`/keywords\`. ${csv}`,
    tag: 'Exports',
    example: { query: { property, days: 28 } },
    handle: async (context, { query }) =>
      context.services.analytics.keywords.file(await propertyNamed(context, query.property), await whole(context, query)),
  }),
  fileOperation({
    id: 'exportPages',
    endpoint: endpoints.exportPages,
    summary: 'Export pages',
    description: `All matching pages, as listed by \`/pages\`. ${csv}`,
    tag: 'Exports',
    example: { query: { property, days: 28 } },
    handle: async (context, { query }) =>
      context.services.analytics.pages.file(await propertyNamed(context, query.property), await whole(context, query)),
  }),
  fileOperation({
    id: 'exportOpportunities',
    endpoint: endpoints.exportOpportunities,
    summary: 'Export keyword opportunities',
    description: `All matching opportunities, as listed by \`/opportunities\`. ${csv}`,
    tag: 'Exports',
    example: { query: { property, days: 28 } },
    handle: async (context, { query }) =>
      context.services.analytics.keywords.opportunitiesFile(await propertyNamed(context, query.property), await whole(context, query)),
  }),
  fileOperation({
    id: 'exportDaily',
    endpoint: endpoints.exportDaily,
    summary: 'Export daily figures',
    description: `Every stored row for each day of a period at one \`grain\`: the whole property, or by page, query, query and page, device, country or search appearance. In files by page or query, \`cut off\` is \`yes\` for days that Google capped at 50,000 rows, so some rows are missing. ${csv}`,
    tag: 'Exports',
    example: { query: { property, days: 7, grain: 'page' } },
    handle: async (context, { query }) =>
      context.services.analytics.overview.dailyFile(await propertyNamed(context, query.property), query),
  }),
]
