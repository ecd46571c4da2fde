const WEBMASTERS_SCOPES = ['https://www.googleapis.com/auth/webmasters.readonly', 'https://www.googleapis.com/auth/webmasters'] as const

/** Google's long names for the short scopes of sign-in. */
const LONG: Readonly<Record<string, string>> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'https://www.googleapis.com/auth/webmasters.readonly': 'View Search Console data for your verified sites',
  'https://www.googleapis.com/auth/webmasters': 'View and manage Search Console data for your verified sites',
}

/** The scopes of a request as Google writes them in its responses, without duplicates. */
export function normaliseScopes(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/\s+/)
        .filter(Boolean)
        .map((scope) => LONG[scope] ?? scope),
    ),
  ]
}

/** Sign-in scopes are granted as a whole; each of the others has a checkbox. */
export function isOptional(scope: string): boolean {
  return scope !== 'openid' && !Object.values(LONG).includes(scope)
}

export function describeScope(scope: string): string {
  return DESCRIPTIONS[scope] ?? scope
}

export function maySeeSearchConsole(scopes: readonly string[]): boolean {
  return WEBMASTERS_SCOPES.some((scope) => scopes.includes(scope))
}
