import type { Account, Permission } from '../accounts.ts'
import { ApiFailure, forbiddenSite } from './errors.ts'

/** sites.list: all of the account's properties, or an object without siteEntry if there are none. */
export function listSites(account: Account): unknown {
  const siteEntry = [...account.sites].map(([siteUrl, permissionLevel]) => ({ siteUrl, permissionLevel }))
  return siteEntry.length > 0 ? { siteEntry } : {}
}

/** The account's permission for a site, which must be spelled exactly as Google does; otherwise 403. */
export function permissionFor(account: Account, siteUrl: string): Permission {
  const permission = account.sites.get(siteUrl)
  if (permission === undefined) throw new ApiFailure(forbiddenSite(siteUrl))
  return permission
}

export function getSite(account: Account, siteUrl: string): unknown {
  return { siteUrl, permissionLevel: permissionFor(account, siteUrl) }
}
