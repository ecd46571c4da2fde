import type { User } from '../../contract/user.ts'
import type { Person } from '../accounts/service.ts'
import type { SitesService } from './service.ts'

/** A signed-in person as shown to the browser: tokens only as present or absent. */
export async function describePerson(sites: SitesService, person: Person, demo: boolean): Promise<User> {
  const [properties, connected] = await Promise.all([sites.list(person.id), sites.isConnected(person.id)])
  await sites.turnToList(person.id, properties)
  const token = connected ? ('redacted' as const) : null
  return {
    id: person.id,
    username: person.username,
    email: person.email,
    emailVerified: person.emailVerified,
    pendingEmail: person.pendingEmail,
    hasPassword: person.hasPassword,
    twoFactorEnabled: person.twoFactorEnabled,
    googleSignIns: person.googleSignIns,
    plan: person.plan,
    planChosen: person.planChosen,
    siteLimit: person.siteLimit,
    sitesMonitored: properties.filter((property) => property.monitored).length,
    sitesPaused: properties.filter((property) => property.paused).length,
    selectedProperty: person.selected?.name ?? null,
    accessToken: token,
    refreshToken: token,
    gscProperties: properties.length > 0 || connected ? properties : null,
    ...(person.notices.length > 0 && { notices: person.notices }),
    demo,
  }
}
