import { z } from 'zod'
import { cleanedText, oneLine, propertyQuery } from './common.ts'
import { signedIn } from './endpoint.ts'

/** What a message may include so that nobody has to ask for it; the person sees each item and may leave it out. */
export const diagnosticId = z.enum(['plan', 'sites', 'property', 'freshness', 'alerts', 'version', 'browser'])
export type DiagnosticId = z.infer<typeof diagnosticId>
const diagnostic = z.object({ id: diagnosticId, label: z.string(), value: z.string() })
export type Diagnostic = z.infer<typeof diagnostic>

/** How to get help; for the selected property unless another is named. */
export const supportQuery = propertyQuery
export const support = z.object({
  /** Why no message can be sent from here, and what to do instead; null if it can. */
  problem: z.string().nullable(),
  /** The plan's promise: `within 1 business day`; null without plans, and so without a promise. */
  answered: z.string().nullable(),
  /** The address for the answer. */
  email: z.string(),
  /** Whether that address gets a copy of the message: not if it is only claimed. */
  copied: z.boolean(),
  diagnostics: z.array(diagnostic),
})
export type Support = z.infer<typeof support>

/** The account's details are looked up again, never taken from the browser. */
export const supportMessage = z.object({
  subject: cleanedText(120, oneLine, 'The subject must be at most 120 characters').min(1, 'Enter a subject'),
  message: cleanedText(
    10_000,
    (typed) => typed.toWellFormed().replaceAll(/\r\n?/g, '\n').trim(),
    'The message must be at most 10,000 characters',
  ).min(10, 'Please add a few details: what you did and what happened'),
  property: propertyQuery.shape.property,
  diagnostics: z.array(diagnosticId).max(20),
})
export type SupportMessage = z.infer<typeof supportMessage>

export const supportEndpoints = {
  read: signedIn.get('/api/support', { query: supportQuery, answer: support }),
  write: signedIn.post('/api/support', { body: supportMessage, bodyBytes: 128 * 1024, status: 202 }),
}
