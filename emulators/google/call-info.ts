import type { Call } from '../lib/http.ts'
import { API_PREFIX } from './api/routes.ts'
import type { CallInfo } from './control/call-log.ts'
import { isDashboard } from './status/dashboard.ts'

const NOTHING = { siteUrl: null, dims: null, startRow: 0, startDate: null, endDate: null, type: null }

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a call is about, by its path and body, whether or not it is valid. */
export function describeCall(call: Call): CallInfo {
  const path = call.url.pathname
  switch (path) {
    case '/o/oauth2/v2/auth':
    case '/o/oauth2/auth':
      return { kind: 'authorize', ...NOTHING }
    case '/token':
      return { kind: 'token', ...NOTHING }
    case '/revoke':
      return { kind: 'revoke', ...NOTHING }
    case '/oauth2/v3/certs':
      return { kind: 'certs', ...NOTHING }
    case API_PREFIX:
      return { kind: 'sites', ...NOTHING }
  }
  if (isDashboard(path)) return { kind: 'status', ...NOTHING }
  const match = new RegExp(`^${API_PREFIX}/([^/]+)(/searchAnalytics/query)?$`).exec(path)
  if (!match?.[1]) return { kind: 'unknown', ...NOTHING }
  const siteUrl = decode(match[1])
  if (match[2] === undefined) return { kind: 'sites', ...NOTHING, siteUrl }
  return call.method === 'POST' ? { kind: 'query', ...queryFields(call.body), siteUrl } : { kind: 'unknown', ...NOTHING }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function queryFields(text: string): Omit<CallInfo, 'kind' | 'siteUrl'> {
  let body: Record<string, unknown> = {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) body = { ...parsed }
  } catch {
    // For an unreadable body, the query itself responds later.
  }
  return {
    dims: Array.isArray(body['dimensions']) ? body['dimensions'].map(String) : [],
    startRow: Number(body['startRow'] ?? 0) || 0,
    startDate: textOf(body['startDate']),
    endDate: textOf(body['endDate']),
    type: textOf(body['type']) ?? textOf(body['searchType']),
  }
}
