import type { connectRedirects } from '../../contract/sites.ts'

type Redirect = (typeof connectRedirects)[number]

/** Leaves the app for Google's consent page, by way of the server. */
export function connectGoogle(redirect?: Redirect): void {
  window.location.assign(redirect === undefined ? '/api/auth/google' : `/api/auth/google?redirect=${redirect}`)
}
