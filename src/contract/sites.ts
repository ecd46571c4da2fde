import { z } from 'zod'
import { property, user } from './user.ts'

export const gscProperties = z.array(property)

export const selectProperty = z.object({ selectedProperty: z.string().min(1, 'Choose a property').max(2048) })
export const selectAnswer = z.object({ user })

/** `POST /api/gsc-properties/monitor`: the properties to watch from now on; the first one becomes the selected one. */
export const monitorSites = z.object({
  sites: z.array(z.string().min(1).max(2048)).min(1, 'Please select at least one site to monitor.').max(1000),
})

/**
 * What somebody who is signed in goes to Google for (`GET /api/auth/google?for=`): to connect its data, to let the Google account log in
 * here, or to prove that it is still them. A visitor comes to log in, whatever they ask for.
 */
export const googleErrands = ['data', 'sign-in', 'proof'] as const
export type GoogleErrand = (typeof googleErrands)[number]

/** Local paths the browser may be sent back to after Google's consent page. */
export const connectRedirects = ['/dashboard', '/account', '/onboarding/sites', '/login'] as const
