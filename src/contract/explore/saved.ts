import { z } from 'zod'
import { byId, cleanedText, oneLine, textUpTo } from '../common.ts'
import { signedIn } from '../endpoint.ts'
import { exploreFileQuery, longestWhere, readFilters } from './explore.ts'

/** A segment is a named set of filters; a view is the explorer's whole URL query. */
export const savedKinds = ['segment', 'view'] as const
export type SavedKind = (typeof savedKinds)[number]

/** Maximum number of segments, and of views, per person. */
export const mostSaved = 200
const longestName = 80
const longestAddress = 8_000

const name = cleanedText(longestName, oneLine, `A name can have up to ${longestName} characters`).min(1, 'Enter a name')

/** Filters as written in a URL (`where`), at least one. */
const filters = textUpTo(longestWhere, `Filters can have up to ${longestWhere.toLocaleString('en-US')} characters in total`).superRefine(
  (text, context) => {
    const { filters: read, problem } = readFilters(text)
    if (problem !== null || read.length === 0) context.addIssue({ code: 'custom', message: problem ?? 'Add a filter first' })
  },
)

/** The query of the explorer's URL: `range=16m&by=page`. */
const address = textUpTo(longestAddress, `A view can have up to ${longestAddress.toLocaleString('en-US')} characters`).refine(
  (text) => exploreFileQuery.safeParse(Object.fromEntries(new URLSearchParams(text))).success,
  'This isn’t an Explore view',
)

export const newSaved = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('segment'), name, content: filters }),
  z.object({ kind: z.literal('view'), name, content: address }),
])
export type NewSaved = z.infer<typeof newSaved>
export const savedChange = z.object({ name })

/** `content`: a segment's filters, or a view's URL query. */
export const saved = z.object({ id: z.string(), kind: z.enum(savedKinds), name: z.string(), content: z.string() })
export type Saved = z.infer<typeof saved>

const path = '/api/explore/saved'
/** A person's segments and views, sorted by name. Renaming a segment that others see in reports' titles requires proof. */
export const savedEndpoints = {
  list: signedIn.get(path, { isLong: 'names', answer: z.array(saved) }),
  add: signedIn.post(path, { body: newSaved, answer: saved, status: 201 }),
  rename: signedIn.patch(`${path}/:id`, { proof: 'by-content', params: byId, body: savedChange, answer: saved }),
  remove: signedIn.remove(`${path}/:id`, { params: byId }),
}
