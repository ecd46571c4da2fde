import { propertyName } from '../../core/accounts/property-name.ts'
import { googleEndpoints } from '../../contract/sites.ts'
import type { ConnectionState } from '../../contract/sync.ts'
import type { GoogleProblem } from '../google/problem.ts'

type Explanation = { message: string; action: { label: string; href: string } | null }

const reconnect = (label: string) => ({ label, href: `${googleEndpoints.start.path}?redirect=/dashboard` })
const openSearchConsole = { label: 'Open Search Console', href: 'https://search.google.com/search-console' }

/** What a state means for the owner of the property and what to do about it; null if all is well. */
export function explainState(state: ConnectionState, name: string, detail: string | null): Explanation | null {
  const property = propertyName(name)
  switch (state) {
    case 'ok':
    case 'never':
    case 'imported':
      return null
    case 'token_revoked':
      return {
        message: `Google access expired or was revoked, so ${property} isn't updating. Reconnect your Google account; stored data is safe.`,
        action: reconnect('Reconnect Google'),
      }
    case 'scope_missing':
      return {
        message: `Ranklark wasn't granted access to Search Console data, so ${property} isn't updating. Reconnect and make sure the Search Console box is checked.`,
        action: reconnect('Reconnect Google'),
      }
    case 'permission_missing':
      return {
        message: `Your Google account has no access to ${property}. Ask an owner to add you as a user in Search Console, or connect an account that has access.`,
        action: openSearchConsole,
      }
    case 'property_form':
      return {
        message: detail ?? `Search Console lists ${property} under a different address. Choose the property again from the list.`,
        action: { label: 'Choose the property', href: '/onboarding/sites' },
      }
    case 'api_disabled':
      return {
        message: `The Search Console API is disabled in this installation's Google Cloud project, so ${property} isn't updating. Once you enable it, syncing will resume automatically.`,
        action: {
          label: 'Open Google Cloud',
          href: 'https://console.cloud.google.com/apis/library/searchconsole.googleapis.com',
        },
      }
    case 'quota':
      return { message: `Google's quota for ${property} is used up for now. Syncing will resume automatically.`, action: null }
    case 'google_unavailable':
      return { message: `Google didn't respond when we requested data for ${property}. We'll retry automatically.`, action: null }
  }
}

const minute = 60_000

/** How long to wait out a problem, never shorter than Google asked for; null waits for a person. */
export function retryDelayMs(problem: GoogleProblem, random: () => number): number | null {
  const usual = usualDelayMs(problem.kind, random)
  return usual === null ? null : Math.max(usual, (problem.retryAfter ?? 0) * 1000)
}

function usualDelayMs(kind: GoogleProblem['kind'], random: () => number): number | null {
  switch (kind) {
    case 'token_revoked':
    case 'scope_missing':
      return null
    // Google's load window is ten minutes; it asks to wait fifteen (docs/google-api.md, Quotas).
    case 'load_quota':
      return 15 * minute + random() * minute
    case 'rate_limited':
      return 2 * minute + random() * minute
    case 'unavailable':
      return 5 * minute + random() * 5 * minute
    // A person restores it elsewhere: check now and then so that it recovers without help.
    case 'api_disabled':
      return 15 * minute + random() * minute
    case 'permission_missing':
      return 6 * 60 * minute
    case 'bad_request':
      return 60 * minute
  }
}

/** The state that a Google problem puts a property in; the caller recognizes wrong forms. */
export function stateOf(kind: GoogleProblem['kind']): ConnectionState {
  switch (kind) {
    case 'load_quota':
    case 'rate_limited':
      return 'quota'
    case 'unavailable':
    case 'bad_request':
      return 'google_unavailable'
    case 'token_revoked':
    case 'scope_missing':
    case 'api_disabled':
    case 'permission_missing':
      return kind
  }
}
