import type { Site } from '../../../contract/portfolio.ts'
import { isChoosable, isReadable } from '../../../core/accounts/site-access.ts'
import { historyShare, needsOwner } from '../../api/sync.ts'
import { paths } from '../../paths.ts'

/** A site's status, shown next to its figures. */
export type SiteStatus = {
  /** Null if all is well. */
  words: string | null
  tone: 'critical' | 'warning' | 'unknown'
  /** Whether the owner has to act before syncing continues. */
  needsOwner: boolean
  /** The fix: a link inside or outside the app. */
  action: { label: string; href: string } | null
  /** Whether it can be monitored from now on. */
  canMonitor: boolean
}

const fine: SiteStatus = { words: null, tone: 'unknown', needsOwner: false, action: null, canMonitor: false }

/** A site's status: paused, not monitored, without access, importing, or its sync's. */
export function statusOf(site: Pick<Site, 'kind' | 'monitored' | 'paused' | 'permissionLevel' | 'sync'>): SiteStatus {
  const { monitored, paused, sync } = site
  if (paused) {
    const action = { label: 'Choose sites', href: paths.selectSites }
    return { ...fine, words: 'Paused: site limit', tone: 'warning', needsOwner: true, action }
  }
  if (!monitored) return { ...fine, words: isReadable(site) ? 'Not monitored' : 'No access', canMonitor: isChoosable(site) }
  if (needsOwner(sync))
    return { ...fine, words: troubles[sync.state] ?? 'Not syncing', tone: 'critical', needsOwner: true, action: sync.action }
  if (!isReadable(site)) return { ...fine, words: troubles.permission_missing ?? null, tone: 'critical', needsOwner: true }
  const share = historyShare(sync)
  if (share !== null) return { ...fine, words: `Importing ${Math.floor(share * 100)}%` }
  return { ...fine, words: troubles[sync.state] ?? null, tone: 'warning' }
}

const troubles: Partial<Record<Site['sync']['state'], string>> = {
  token_revoked: 'Reconnect Google',
  scope_missing: 'Reconnect Google',
  permission_missing: 'No permission',
  property_form: 'Address changed',
  api_disabled: 'API disabled',
  quota: 'Waiting for quota',
  google_unavailable: 'Google not responding',
}
