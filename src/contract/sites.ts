import { z } from 'zod'
import { property, user } from './user.ts'
import { endpoint, signedIn } from './endpoint.ts'

export const gscProperties = z.array(property)

export const selectProperty = z.object({ selectedProperty: z.string().min(1, 'Choose a property').max(2048) })
export const selectAnswer = z.object({ user })

/** The properties to monitor from now on; the first one becomes selected. */
export const monitorSites = z.object({
  sites: z.array(z.string().min(1).max(2048)).min(1, 'Please select at least one site to monitor.').max(1000),
})

/**
 * Why a signed-in person goes to Google: to connect its data, to let the Google account log in here, or to prove their identity. A visitor
 * always logs in.
 */
export const consentPurposes = ['data', 'sign-in', 'proof'] as const
export type ConsentPurpose = (typeof consentPurposes)[number]

/** Local paths to return to after Google's consent page. */
export const connectRedirects = ['/dashboard', '/account', '/onboarding/sites', '/login'] as const

const startQuery = z.object({
  redirect: z.enum(connectRedirects).default('/dashboard').catch('/dashboard'),
  for: z.enum(consentPurposes).default('data').catch('data'),
})
// A repeated parameter counts as absent: the person continues with an explanation, not an error page.
const parameter = z.string().max(4_096).optional().catch(undefined)
const callbackQuery = z.object({ state: parameter, code: parameter })

/** The trip to Google's consent page and back. */
export const googleEndpoints = {
  start: endpoint({
    method: 'GET',
    path: '/api/auth/google',
    access: { anybody: "redirects to Google's consent page" },
    proof: 'by-route',
    query: startQuery,
    answer: 'page',
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/auth/google/callback',
    access: { anybody: 'return from Google, identified by the cookie set on the way out' },
    query: callbackQuery,
    answer: 'page',
  }),
}

const path = '/api/gsc-properties'
/** A person's properties (SPEC §7, OPEN-POINTS "Save-property call"). */
export const siteEndpoints = {
  list: signedIn.get(path, { answer: gscProperties }),
  select: signedIn.post(`${path}/select`, { body: selectProperty, answer: selectAnswer }),
  monitor: signedIn.post(`${path}/monitor`, { body: monitorSites, bodyBytes: 1024 * 1024, answer: selectAnswer }),
}
