import { z } from 'zod'
import { property, user } from './user.ts'
import { endpoint } from './endpoint.ts'

export const gscProperties = z.array(property)

export const selectProperty = z.object({ selectedProperty: z.string().min(1, 'Choose a property').max(2048) })
export const selectAnswer = z.object({ user })

/** The properties to watch from now on; the first one becomes the selected one. */
export const monitorSites = z.object({
  sites: z.array(z.string().min(1).max(2048)).min(1, 'Please select at least one site to monitor.').max(1000),
})

/**
 * What somebody who is signed in goes to Google for: to connect its data, to let the Google account log in
 * here, or to prove that it is still them. A visitor comes to log in, whatever they ask for.
 */
export const googleErrands = ['data', 'sign-in', 'proof'] as const
export type GoogleErrand = (typeof googleErrands)[number]

/** Local paths the browser may be sent back to after Google's consent page. */
export const connectRedirects = ['/dashboard', '/account', '/onboarding/sites', '/login'] as const

const startQuery = z.object({
  redirect: z.enum(connectRedirects).default('/dashboard').catch('/dashboard'),
  for: z.enum(googleErrands).default('data').catch('data'),
})
// A parameter given twice counts as absent: the person is sent on with an explanation, not stopped by an error page.
const parameter = z.string().optional().catch(undefined)
const callbackQuery = z.object({ state: parameter, code: parameter })

/** To Google's consent page, and back. */
export const googleEndpoints = {
  start: endpoint({
    method: 'GET',
    path: '/api/auth/google',
    access: { anybody: 'to the consent page of Google' },
    proof: 'by-route',
    query: startQuery,
    answer: 'page',
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/auth/google/callback',
    access: { anybody: 'back from it, with the cookie of the way there' },
    query: callbackQuery,
    answer: 'page',
  }),
}

const path = '/api/gsc-properties'
/** The person's properties (SPEC §7, OPEN-POINTS "Save-property call"). */
export const siteEndpoints = {
  list: endpoint({ method: 'GET', path, access: 'session', answer: gscProperties }),
  select: endpoint({ method: 'POST', path: `${path}/select`, access: 'session', body: selectProperty, answer: selectAnswer }),
  monitor: endpoint({ method: 'POST', path: `${path}/monitor`, access: 'session', body: monitorSites, answer: selectAnswer }),
}
