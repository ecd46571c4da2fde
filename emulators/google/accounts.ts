import type { ProfileName } from './figures/profiles.ts'
import { hashText } from './figures/random.ts'

export const PERMISSIONS = ['siteOwner', 'siteFullUser', 'siteRestrictedUser', 'siteUnverifiedUser'] as const
export type Permission = (typeof PERMISSIONS)[number]

export interface Account {
  readonly email: string
  readonly name: string
  /** Google's number for the account. */
  readonly sub: string
  /** Its Workspace domain; null for a consumer account, whatever its address. */
  readonly hostedDomain: string | null
  /** The consent page only offers it to those who request it by login_hint. */
  readonly hidden: boolean
  /** Its properties, in the order of sites.list. */
  readonly sites: Map<string, Permission>
}

export const DEMO_ACCOUNT = 'demo@ranklark.example'
export const BENCH_ACCOUNT = 'bench@ranklark.example'

/** The sample properties and their owners. */
export const SAMPLE_SITES: readonly {
  readonly siteUrl: string
  readonly profile: ProfileName
  readonly account: string
  readonly permission: Permission
}[] = [
  { siteUrl: 'sc-domain:lumenandloom.example', profile: 'shop', account: DEMO_ACCOUNT, permission: 'siteOwner' },
  { siteUrl: 'https://thecrumbjournal.example/', profile: 'blog', account: DEMO_ACCOUNT, permission: 'siteFullUser' },
  { siteUrl: 'https://harbourlanephysio.example/', profile: 'local', account: DEMO_ACCOUNT, permission: 'siteRestrictedUser' },
  { siteUrl: 'sc-domain:grandbazaar.example', profile: 'large', account: BENCH_ACCOUNT, permission: 'siteOwner' },
]

/**
 * An account without properties, whose number derives from its address. Non-Gmail addresses are Workspace accounts, unless `consumer` says
 * that somebody opened a Google account with an existing address.
 */
export function createAccount(email: string, name: string, { hidden = false, consumer = false } = {}): Account {
  return {
    email,
    name,
    hidden,
    hostedDomain: consumer || /@(gmail|googlemail)\.com$/i.test(email) ? null : email.slice(email.lastIndexOf('@') + 1),
    sub: `1${String(hashText(email)).padStart(10, '0')}${String(hashText(`${email}#`)).padStart(10, '0')}`,
    sites: new Map(),
  }
}

/** The initial accounts. */
export function sampleAccounts(): Map<string, Account> {
  const accounts = new Map([
    [DEMO_ACCOUNT, createAccount(DEMO_ACCOUNT, 'Demo Owner')],
    [BENCH_ACCOUNT, createAccount(BENCH_ACCOUNT, 'Bench Owner', { hidden: true })],
  ])
  for (const site of SAMPLE_SITES) accounts.get(site.account)?.sites.set(site.siteUrl, site.permission)
  return accounts
}
