import { apiExportEndpoints as endpoints } from '../../../contract/api-v1/figures.ts'
import { propertyNamed } from '../requested-property.ts'
import { type ApiContext, fileOperation, operationsOf } from '../operation.ts'

const property = 'sc-domain:example.com'
const csv = 'A CSV file in UTF-8 with a header line, streamed. CTR is a fraction.'

/** With the filters of its segment. */
const whole = <Query extends { segment?: string | undefined }>({ person, services }: ApiContext, query: Query) =>
  services.analytics.saved.whole(person, query)

export const exportOperations = operationsOf('Exports', {
  exportKeywords: fileOperation(endpoints.exportKeywords, {
    summary: 'Export keywords',
    description: `All matching keywords, as listed by \`/keywords\`. ${csv}`,
    example: { query: { property, days: 28 } },
    handle: async (context, { query }) =>
      context.services.analytics.keywords.file(await propertyNamed(context, query.property), await whole(context, query)),
  }),
  exportPages: fileOperation(endpoints.exportPages, {
    summary: 'Export pages',
    description: `All matching pages, as listed by \`/pages\`. ${csv}`,
    example: { query: { property, days: 28 } },
    handle: async (context, { query }) =>
      context.services.analytics.pages.file(await propertyNamed(context, query.property), await whole(context, query)),
  }),
  exportOpportunities: fileOperation(endpoints.exportOpportunities, {
    summary: 'Export keyword opportunities',
    description: `All matching opportunities, as listed by \`/opportunities\`. ${csv}`,
    example: { query: { property, days: 28 } },
    handle: async (context, { query }) =>
      context.services.analytics.keywords.opportunitiesFile(await propertyNamed(context, query.property), await whole(context, query)),
  }),
  exportDaily: fileOperation(endpoints.exportDaily, {
    summary: 'Export daily figures',
    description: `Every stored row for each day of a period at one \`grain\`: the whole property, or by page, query, query and page, device, country or search appearance. In files by page or query, \`cut off\` is \`yes\` for days that Google capped at 50,000 rows, so some rows are missing. ${csv}`,
    example: { query: { property, days: 7, grain: 'page' } },
    handle: async (context, { query }) =>
      context.services.analytics.overview.dailyFile(await propertyNamed(context, query.property), query),
  }),
})
