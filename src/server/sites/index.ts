import { googleEndpoints } from '../../contract/sites.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import { createGoogleOAuth } from '../google/oauth.ts'
import type { SearchConsole } from '../google/search-console.ts'
import { connectRoutes } from './connect-routes.ts'
import { createConnectionStore } from './connection-store.ts'
import { createConnections } from './connections.ts'
import { exportSites } from './export.ts'
import { describePerson } from './person-view.ts'
import { createRevocations, defineRevocations } from './revocation-jobs.ts'
import { sitesRoutes } from './routes.ts'
import { createSitesService } from './service.ts'
import { createSitesStore } from './store.ts'

type SitesDeps = Pick<Foundation, 'config' | 'db' | 'facts' | 'queue' | 'vault' | 'events' | 'baseUrl' | 'clock' | 'log'> & {
  accounts: AccountsService
  searchConsole: SearchConsole
}

/** The connection to Google, and which of its properties are monitored. */
export async function createSites(deps: SitesDeps) {
  const { config, db, facts, queue, vault, events, baseUrl, clock, accounts, searchConsole } = deps
  const { google, demo, offer } = config
  const oauth = createGoogleOAuth({
    clientId: google.client?.id ?? '',
    clientSecret: google.client?.secret ?? '',
    authUrl: google.oauthUrl,
    tokenUrl: google.tokenUrl,
    redirectUri: () => `${baseUrl()}${googleEndpoints.callback.path}`,
  })
  const connectionStore = createConnectionStore(db, vault)
  const connections = createConnections({ store: connectionStore, oauth, searchConsole, clock })
  await defineRevocations(queue)
  const revocations = createRevocations({ ...deps, connectionStore, oauth })
  const sites = createSitesService({ ...deps, store: createSitesStore(db), connectionStore, connections, revocations, offer })

  revocations.withAccount(events)
  events.on('grantsEnding', async ({ userId, all, transaction }) => {
    if (all) await sites.release(userId, transaction)
  })

  const capability: Capability = {
    routes: [
      connectRoutes({
        ...deps,
        accounts,
        sites,
        oauth: google.client ? oauth : null,
        vault,
        secureCookies: baseUrl().startsWith('https://'),
      }),
      sitesRoutes({ accounts, sites, demo }),
    ],
    work: () => revocations.work(),
    exported: [exportSites(db, facts)],
  }
  /** A signed-in person as shown to the browser. */
  const describe = (person: Person) => describePerson(sites, person, demo)
  return { sites, connections, describe, capability }
}
