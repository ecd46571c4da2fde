import { z } from 'zod'
import { numberFrom } from '../analytics.ts'
import { endpoint } from '../endpoint.ts'

/** The API's path on an installation. */
export const apiBase = '/api/v1'
/** Its documentation for people. */
export const apiDocs = '/api/docs'
/** The same for assistants (Model Context Protocol). */
export const mcpPath = '/mcp'

const limitError = 'limit must be a whole number from 1 to 1,000'

/** A part of a list: its maximum number of rows, and where it begins. */
export const pageQuery = z.object({
  limit: numberFrom(1, 1_000, limitError).int({ error: limitError }).default(100),
  /** `next` from the previous part; the other parameters have to stay the same. */
  cursor: z.string().min(1).max(4_000).optional(),
})

/** A part of a list; `next` is the following part's cursor, null for the last. */
export const partOf = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), next: z.string().nullable() })

const name = z.string({ error: 'Enter a property name exactly as the list of properties returns it' }).min(1).max(2048)
/** `?property=sc-domain:example.com` */
export const ofProperty = z.object({ property: name })
/** Without it: for all properties. */
export const ofAnyProperty = z.object({ property: name.optional() })

const described = { anybody: 'API reference' }
export const apiDocsEndpoints = {
  page: endpoint({ method: 'GET', path: apiDocs, access: described, answer: 'page' }),
  document: endpoint({ method: 'GET', path: `${apiBase}/openapi.json`, access: described, answer: 'page' }),
}
