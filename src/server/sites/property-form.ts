import { domainOf } from '../../core/accounts/property-name.ts'
import { isReadable } from '../../core/accounts/site-access.ts'
import type { SiteEntry } from '../google/search-console.ts'

/** A property name's host without `www.`; null if it isn't a URL. */
function hostOf(name: string): string | null {
  const domain = domainOf(name)
  if (domain !== null) return bare(domain)
  try {
    return bare(new URL(name.includes('://') ? name : `https://${name}`).hostname)
  } catch {
    return null
  }
}

const bare = (host: string): string => host.toLowerCase().replace(/^www\./, '')

/**
 * Google requires a property's exact name and refuses every other form. Finds the form this account has: same host, domain property first,
 * and queryable.
 */
export function otherFormOf(name: string, sites: readonly SiteEntry[]): string | null {
  const host = hostOf(name)
  if (host === null) return null
  const usable = sites.filter((site) => isReadable({ kind: 'google', ...site }))
  if (usable.some((site) => site.siteUrl === name)) return null
  const same = usable.find((site) => hostOf(site.siteUrl) === host)
  const domain = usable.find((site) => domainOf(site.siteUrl) !== null && isWithin(host, hostOf(site.siteUrl)))
  return (domain ?? same)?.siteUrl ?? null
}

const isWithin = (host: string, domain: string | null): boolean => domain !== null && (host === domain || host.endsWith(`.${domain}`))

/** The forms Google may have for a site typed as `name`, most likely first; without the typed one. */
export function usualForms(name: string): string[] {
  const host = hostOf(name)
  if (host === null) return []
  const hosts = [host, `www.${host}`]
  const forms = [`sc-domain:${host}`, ...['https', 'http'].flatMap((scheme) => hosts.map((each) => `${scheme}://${each}/`))]
  return forms.filter((form) => form !== name)
}
