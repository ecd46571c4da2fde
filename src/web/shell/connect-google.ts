import type { connectRedirects, GoogleErrand } from '../../contract/sites.ts'

export type Redirect = (typeof connectRedirects)[number]

/** Goes to Google's consent page through the server; by default to connect Search Console data. */
export function connectGoogle(redirect?: Redirect, errand: GoogleErrand = 'data'): void {
  const query = new URLSearchParams({ ...(redirect && { redirect }), ...(errand !== 'data' && { for: errand }) })
  window.location.assign(query.size === 0 ? '/api/auth/google' : `/api/auth/google?${query}`)
}
