import { z } from 'zod'
import { numberFrom } from '../analytics.ts'
import { endpoint } from '../endpoint.ts'

/** Where the API lives, below an installation's address. */
export const apiBase = '/api/v1'
/** Where it is described for people. */
export const apiDocs = '/api/docs'
/** Where assistants ask the same (Model Context Protocol). */
export const mcpPath = '/mcp'

const limitError = 'limit must be a whole number from 1 to 1,000'

/** A part of a list: how many rows at most, and where it begins. */
export const pageQuery = z.object({
  limit: numberFrom(1, 1_000, limitError).int({ error: limitError }).default(100),
  /** `next` of the part before; the other parameters have to stay as they were. */
  cursor: z.string().min(1).max(4_000).optional(),
})

/** A part of a list; `next` is the cursor of the one after it, null for the last. */
export const partOf = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), next: z.string().nullable() })

const name = z.string({ error: 'Name the property, as the list of properties does' }).min(1).max(2048)
/** `?property=sc-domain:example.com` */
export const ofProperty = z.object({ property: name })
/** Without it: of all properties. */
export const ofAnyProperty = z.object({ property: name.optional() })

const described = { anybody: 'the reference of the API' }
export const apiDocsEndpoints = {
  page: endpoint({ method: 'GET', path: apiDocs, access: described, answer: 'page' }),
  document: endpoint({ method: 'GET', path: `${apiBase}/openapi.json`, access: described, answer: 'page' }),
}
