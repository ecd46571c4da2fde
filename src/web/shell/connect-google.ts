import { addressOf } from '../../contract/endpoint.ts'
import { type connectRedirects, googleEndpoints, type GoogleErrand } from '../../contract/sites.ts'

export type Redirect = (typeof connectRedirects)[number]

/** Leaves the app for Google's consent page, by way of the server: to connect its data, unless it is for something else. */
export function connectGoogle(redirect?: Redirect, errand: GoogleErrand = 'data'): void {
  const query = { redirect, for: errand === 'data' ? undefined : errand }
  window.location.assign(addressOf(googleEndpoints.start, { query }))
}
