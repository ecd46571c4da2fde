import { addressOf } from '../../contract/endpoint.ts'
import { type connectRedirects, googleEndpoints, type ConsentPurpose } from '../../contract/sites.ts'

export type Redirect = (typeof connectRedirects)[number]

/** Goes to Google's consent page through the server; by default to connect Search Console data. */
export function connectGoogle(redirect?: Redirect, purpose: ConsentPurpose = 'data'): void {
  const query = { redirect, for: purpose === 'data' ? undefined : purpose }
  window.location.assign(addressOf(googleEndpoints.start, { query }))
}
