import type { connectRedirects, GoogleErrand } from '../../contract/sites.ts'

export type Redirect = (typeof connectRedirects)[number]

/** Leaves the app for Google's consent page, by way of the server: to connect its data, unless it is for something else. */
export function connectGoogle(redirect?: Redirect, errand: GoogleErrand = 'data'): void {
  const query = new URLSearchParams({ ...(redirect && { redirect }), ...(errand !== 'data' && { for: errand }) })
  window.location.assign(query.size === 0 ? '/api/auth/google' : `/api/auth/google?${query}`)
}
