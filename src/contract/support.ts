import { z } from 'zod'
import { oneLine, propertyQuery } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What may be told with a message, so that nobody has to ask for it; the person sees each and may leave it out. */
export const diagnosticId = z.enum(['plan', 'sites', 'property', 'freshness', 'alerts', 'version', 'browser'])
export type DiagnosticId = z.infer<typeof diagnosticId>
const diagnostic = z.object({ id: diagnosticId, label: z.string(), value: z.string() })
export type Diagnostic = z.infer<typeof diagnostic>

/** How help is had here; of the selected property unless another is named. */
export const supportQuery = propertyQuery
export const support = z.object({
  /** Why no message can be sent from here, and what to do instead; null when it can. */
  problem: z.string().nullable(),
  /** What the plan promises: `within 1 business day`; null where there are no plans, and so no promise. */
  answered: z.string().nullable(),
  /** Where the answer goes. */
  email: z.string(),
  /** Whether a copy of the message goes there: not to an address that is only claimed. */
  copied: z.boolean(),
  diagnostics: z.array(diagnostic),
})
export type Support = z.infer<typeof support>

/** What is told of the account is looked up again, never taken from the browser. */
export const supportMessage = z.object({
  subject: z.string().transform(oneLine).pipe(z.string().min(1, 'Enter a subject').max(120, 'The subject must be at most 120 characters')),
  message: z
    .string()
    .transform((typed) => typed.toWellFormed().replaceAll(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .min(10, 'Please add a few details: what you did and what happened')
        .max(10_000, 'The message must be at most 10,000 characters'),
    ),
  property: propertyQuery.shape.property,
  diagnostics: z.array(diagnosticId).max(20),
})
export type SupportMessage = z.infer<typeof supportMessage>

export const supportEndpoints = {
  read: endpoint({ method: 'GET', path: '/api/support', access: 'session', query: supportQuery, answer: support }),
  write: endpoint({ method: 'POST', path: '/api/support', access: 'session', body: supportMessage, status: 202 }),
}
