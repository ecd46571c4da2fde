import { json, jsonBody } from '../../lib/http.ts'
import type { Call, Reply } from '../../lib/http.ts'
import type { Account } from '../accounts.ts'
import type { CallInfo } from '../control/call-log.ts'
import { maySeeSearchConsole } from '../oauth/scopes.ts'
import type { World } from '../world.ts'
import { ApiFailure, notFound, scopeMissing, unauthorized } from './errors.ts'
import { querySite } from './query.ts'
import { getSite, listSites } from './sites.ts'

export const API_PREFIX = '/webmasters/v3/sites'

/** Identifies the caller by the Bearer token; throws 401, or 403 for missing scopes. */
function caller(world: World, call: Call): Account {
  const token = /^Bearer (.+)$/i.exec(call.headers.authorization ?? '')?.[1]
  const access = token === undefined ? undefined : world.tokens.access(token)
  const account = access && access.expiresAt > Date.now() ? world.accounts.get(access.account) : undefined
  if (!access || !account) throw new ApiFailure(unauthorized())
  if (!maySeeSearchConsole(access.scopes)) throw new ApiFailure(scopeMissing())
  return account
}

/** Answers a call under /webmasters/v3/sites. */
export function handleApi(world: World, call: Call, info: CallInfo): Reply {
  try {
    const account = caller(world, call)
    if (info.kind === 'query' && info.siteUrl !== null) {
      world.quota.query(info.siteUrl, account.email)
      return jsonBody(200, querySite(world, account, info.siteUrl, call.body))
    }
    if (info.kind !== 'sites' || call.method !== 'GET') throw new ApiFailure(notFound())
    world.quota.other(account.email)
    return json(200, info.siteUrl === null ? listSites(account) : getSite(account, info.siteUrl))
  } catch (error) {
    if (error instanceof ApiFailure) return json(error.error.status, error.error.body, error.error.headers)
    throw error
  }
}
