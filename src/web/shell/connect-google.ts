import { addressOf } from '../../contract/endpoint.ts'
import { type connectRedirects, googleEndpoints, type ConsentPurpose } from '../../contract/sites.ts'

export type Redirect = (typeof connectRedirects)[number]

/** Goes to Google's consent page through the server; by default to connect Search Console data. */
export function connectGoogle(redirect?: Redirect, errand: ConsentPurpose = 'data'): void {
  const query = { redirect, for: errand === 'data' ? undefined : errand }
  window.location.assign(addressOf(googleEndpoints.start, { query }))
}
