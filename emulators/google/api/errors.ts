/** A response of the API other than 200, with its JSON body. */
export interface ApiError {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown while a call is handled; the server turns it into the response. */
export class ApiFailure extends Error {
  readonly error: ApiError

  constructor(error: ApiError) {
    super(`answered ${error.status}`)
    this.error = error
  }
}

function legacy(code: number, message: string, detail: Record<string, string>, more: Record<string, unknown> = {}): ApiError {
  return { status: code, body: { error: { code, message, errors: [{ message, domain: 'global', ...detail }], ...more } } }
}

/** 403 for a site that this account can't access, or that isn't spelled exactly as Google does. */
export function forbiddenSite(siteUrl: string): ApiError {
  return legacy(
    403,
    `User does not have sufficient permission for site '${siteUrl}'. See also: https://support.google.com/webmasters/answer/2451999.`,
    { reason: 'forbidden' },
  )
}

/** 400 about one parameter of the request. */
export function invalidParameter(message: string, location: string): ApiError {
  return legacy(400, message, { reason: 'invalidParameter', location, locationType: 'parameter' })
}

/** 400 from Google's JSON parser: unknown fields, wrong types, names outside an enumeration. */
export function invalidArgument(message: string): ApiError {
  return legacy(400, message, { reason: 'badRequest' }, { status: 'INVALID_ARGUMENT' })
}

export function unauthorized(): ApiError {
  return {
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
    body: {
      error: {
        code: 401,
        message:
          'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
        errors: [
          { message: 'Invalid Credentials', domain: 'global', reason: 'authError', location: 'Authorization', locationType: 'header' },
        ],
        status: 'UNAUTHENTICATED',
      },
    },
  }
}

function permissionDenied(message: string, reason: string, metadata: Record<string, string>, legacyReason: string): ApiError {
  return {
    status: 403,
    body: {
      error: {
        code: 403,
        message,
        errors: [{ message, domain: legacyReason === 'accessNotConfigured' ? 'usageLimits' : 'global', reason: legacyReason }],
        status: 'PERMISSION_DENIED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata }],
      },
    },
  }
}

export function apiDisabled(projectNumber: string): ApiError {
  const message = `Google Search Console API has not been used in project ${projectNumber} before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/searchconsole.googleapis.com/overview?project=${projectNumber} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`
  return permissionDenied(
    message,
    'SERVICE_DISABLED',
    { service: 'searchconsole.googleapis.com', consumer: `projects/${projectNumber}` },
    'accessNotConfigured',
  )
}

export function scopeMissing(): ApiError {
  return permissionDenied(
    'Request had insufficient authentication scopes.',
    'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    { service: 'searchconsole.googleapis.com', method: 'google.searchconsole.v1.SearchAnalyticsService.Query' },
    'insufficientPermissions',
  )
}

/** 403 quotaExceeded; the load quota and the regular one differ only in their message. */
export function quotaExceeded(message: string): ApiError {
  return { status: 403, body: { error: { code: 403, message, errors: [{ message, domain: 'usageLimits', reason: 'quotaExceeded' }] } } }
}

export const LOAD_QUOTA_MESSAGE = 'Search Analytics load quota exceeded.'

/** 429 rateLimitExceeded, with Retry-After in seconds if given. */
export function rateLimited(message: string, retryAfter?: number): ApiError {
  const error = legacy(429, message, { reason: 'rateLimitExceeded' }, { status: 'RESOURCE_EXHAUSTED' })
  return retryAfter === undefined ? error : { ...error, headers: { 'retry-after': String(retryAfter) } }
}

export function internalError(): ApiError {
  return legacy(500, 'Internal error encountered.', { reason: 'backendError' }, { status: 'INTERNAL' })
}

export function unavailable(retryAfter?: number): ApiError {
  const error = legacy(503, 'The service is currently unavailable.', { reason: 'backendError' }, { status: 'UNAVAILABLE' })
  return retryAfter === undefined ? error : { ...error, headers: { 'retry-after': String(retryAfter) } }
}

export function notFound(): ApiError {
  return legacy(404, 'Not Found', { reason: 'notFound' }, { status: 'NOT_FOUND' })
}
