import type { PlanId, Property } from '../../contract/user.ts'
import { noAccessWords } from '../../core/accounts/site-access.ts'
import { type Offer, siteLimitRefusal, siteLimitUnder } from '../../core/billing/offer.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { EventBus } from '../common/events.ts'
import type { Grant } from '../google/oauth.ts'
import { searchConsoleScope } from '../google/oauth.ts'
import type { GoogleProblem } from '../google/problem.ts'
import { inBatches } from '../platform/batches.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { ConnectedAccount, ConnectionStore, Revocation } from './connection-store.ts'
import type { Connections } from './connections.ts'
import type { Revocations } from './revocation-jobs.ts'
import type { OwnedName, PropertyRow, SitesStore } from './store.ts'
import { adoptTypedSite } from './typed-site.ts'

export type { Connections } from './connections.ts'

export type SitesDeps = {
  db: Db
  store: SitesStore
  connectionStore: ConnectionStore
  connections: Connections
  revocations: Revocations
  offer: Offer
  events: EventBus
  clock: Clock
  log: Log
}

export function createSitesService(deps: SitesDeps) {
  const { db, store, connectionStore, connections, revocations, offer } = deps
  const siteLimit = (plan: PlanId) => siteLimitUnder(offer, plan) ?? Infinity
  // These are asked with almost every request.
  const listOf = inBatches(store.lists)
  const connectedOf = inBatches(connectionStore.connected)
  const reportOn = inBatches(async (keys) => {
    const rows = await store.reportsOn(keys.map(ownedNameOf))
    return new Map(rows.map(({ userId, ...property }) => [keyOf(userId, property.name), property]))
  })
  const list = async (userId: string): Promise<PropertyRow[]> => (await listOf(userId)) ?? []

  /** Reads the properties of the Google account that is connected into ours. */
  async function refreshFromGoogle(userId: string, googleSub: string): Promise<GoogleProblem | null> {
    const sites = await connections.listSites(userId)
    if (!sites.ok) return sites.problem
    await store.saveGoogleSites({ userId, googleSub }, sites.value)
    return null
  }

  async function announce(monitored: readonly PropertyRow[]): Promise<void> {
    for (const property of monitored) {
      if (property.kind === 'google') await deps.events.emit('propertyMonitored', { propertyId: property.id })
    }
  }

  async function monitor(userId: string, names: readonly string[], only: boolean): Promise<void> {
    const choice = { only, refuse: (plan: PlanId, sites: number) => siteLimitRefusal(offer, plan, sites), now: deps.clock.now() }
    const known = new Map((await list(userId)).map((row) => [row.name, row]))
    const isGoogles = names.some((name) => known.get(name)?.kind !== 'imported' && known.get(name)?.monitored !== true)
    const googleSub = isGoogles ? await connectionStore.googleSub(userId) : null
    // Google may have given or taken access since the person saw the list; while it does not answer, what it said last counts.
    const isListed = googleSub !== null && (await refreshFromGoogle(userId, googleSub)) === null
    let answer = await store.monitor(userId, names, choice)
    const unsure = 'unknown' in answer && only ? [answer.unknown] : 'unreadable' in answer && !isListed ? answer.unreadable : []
    const account = unsure.length > 0 ? await connectionStore.googleSub(userId) : null
    if (account !== null) {
      for (const name of unsure) await adoptTypedSite({ store, connections }, { userId, googleSub: account }, name)
      answer = await store.monitor(userId, names, choice)
    }
    if ('unknown' in answer) throw new Refusal(404, `${answer.unknown} is not one of your properties.`)
    if ('unreadable' in answer) throw new Refusal(403, noAccessWords(answer.unreadable), only ? 'sites' : 'selectedProperty')
    if ('refusal' in answer) throw new Refusal(403, answer.refusal)
    await announce(answer.newlyMonitored)
  }

  /** Another limit is in force: pauses the sites beyond it, or resumes those it covers again. Doing it twice changes nothing. */
  async function fitToLimit(userId: string): Promise<void> {
    await announce(await store.fitToLimit(userId, siteLimit, deps.clock.now()))
  }

  /** Forgets the Google account of somebody and hides its properties, with a transaction; Google is told by a job. */
  async function release(userId: string, trx: Db): Promise<Revocation | null> {
    const now = deps.clock.now()
    const removed = await connectionStore.remove(userId, now, trx)
    await store.detachGoogleSites(userId, now, trx)
    if (removed) await revocations.later(removed, trx)
    return removed
  }

  return {
    list: async (userId: string): Promise<Property[]> => (await list(userId)).map(toProperty),

    /** How many of them are monitored. */
    monitored: async (userId: string): Promise<number> => (await list(userId)).filter(({ monitored }) => monitored).length,

    /** All of the person's properties, with what a list of them tells. */
    listed: store.listed,

    /** Files a property under these tags and no others. @throws Refusal 404 */
    async setTags(userId: string, name: string, tags: readonly string[]): Promise<void> {
      // PostgreSQL refuses to be asked about it.
      const isTheirs = !name.includes('\0') && (await store.setTags(userId, name, tags))
      if (!isTheirs) throw new Refusal(404, `${name} is not one of your properties.`, 'property')
    },

    /** The property a report is about: the one named, else the selected one; null when there is none of theirs. */
    async reportOn(person: Person, name?: string): Promise<ReportProperty | null> {
      if (name === undefined || name === person.selected?.name) return person.selected
      // PostgreSQL refuses to be asked about it, and with it about what others ask at the same time.
      if (name.includes('\0')) return null
      return (await reportOn(keyOf(person.id, name))) ?? null
    },

    /**
     * The person's properties, read anew from Google when an account is connected.
     * @throws Refusal 502 when Google does not answer, 403 when its consent is gone
     */
    async listFresh(userId: string): Promise<Property[]> {
      const googleSub = await connectionStore.googleSub(userId)
      if (googleSub !== null) {
        const problem = await refreshFromGoogle(userId, googleSub)
        if (problem) throw googleRefusal(problem)
      }
      return (await list(userId)).map(toProperty)
    },

    /** Selects a property; it is monitored from then on, within the limit, if Google gives access to it. */
    select: (userId: string, name: string): Promise<void> => monitor(userId, [name], false),

    /**
     * Monitors exactly these of the person's Google properties; the first one becomes the selected one. A name that is
     * none of them is asked about at Google, for somebody whose list could not be had.
     */
    monitorOnly: (userId: string, names: readonly string[]): Promise<void> => monitor(userId, names, true),

    fitToLimit,

    /** The same for everybody, after this installation began or ceased to sell plans, or its owner set another limit. */
    async fitAll(): Promise<void> {
      const misfits = await store.misfits(siteLimit)
      if (misfits.length > 0) deps.log.info({ people: misfits.length }, 'the limit of sites is another one: sites are paused or resumed')
      for (const userId of misfits) await fitToLimit(userId)
    },

    /**
     * Stores what Google's consent page gave. Google omits the refresh token on later consents: the
     * one we hold for the same account stays in use. The permission of another account that was
     * connected before is given back.
     */
    async connect(userId: string, identity: ConnectedAccount, grant: Grant): Promise<'connected' | 'scope_missing' | 'failed'> {
      const held = await connectionStore.load(userId)
      if (!grant.scope.split(' ').includes(searchConsoleScope)) {
        // A connection that works goes on; one that is dead now fails for this reason.
        if (held && held.state !== 'ok') await connections.noteProblem(userId, 'scope_missing')
        return 'scope_missing'
      }
      const sameAccount = (await connectionStore.googleSub(userId)) === identity.sub
      const refreshToken = grant.refreshToken ?? (held && sameAccount ? held.refreshToken : undefined)
      if (refreshToken === undefined) return 'failed'
      const now = deps.clock.now()
      const replaced = await db.transaction().execute(async (trx) => {
        const removed = await connectionStore.remove(userId, now, trx, identity.sub)
        await connectionStore.save(userId, identity, { ...grant, refreshToken }, now, trx)
        if (removed === null) return null
        // Only now: a list of the account before that still arrives finds another one connected.
        await store.detachGoogleSites(userId, now, trx)
        await revocations.later(removed, trx)
        return removed
      })
      if (replaced) await revocations.atOnce(replaced)
      const problem = await refreshFromGoogle(userId, identity.sub)
      if (problem) deps.log.warn({ kind: problem.kind, detail: problem.detail }, 'properties could not be listed after connecting')
      await deps.events.emit('googleConnected', { userId })
      return 'connected'
    },

    /** Deletes the tokens, hides the properties, and gives the permission back to Google: at once, or as soon as it answers. */
    async disconnect(userId: string): Promise<void> {
      const held = await db.transaction().execute((trx) => release(userId, trx))
      if (held) await revocations.atOnce(held)
    },

    release,

    isConnected: async (userId: string): Promise<boolean> => (await connectedOf(userId)) ?? false,
    /** Whose data is synced with this Google account, which need not open their account; the latest, should there be several. */
    ownerOfGoogleAccount: (sub: string): Promise<string | null> => connectionStore.ownerOf(sub),
    /** The Google account whose data is synced; null when there is none. */
    connectedAccount: (userId: string): Promise<string | null> => connectionStore.googleSub(userId),
  }
}
export type SitesService = ReturnType<typeof createSitesService>

const keyOf = (userId: string, name: string): string => `${userId}\n${name}`

function ownedNameOf(key: string): OwnedName {
  const at = key.indexOf('\n')
  return { userId: key.slice(0, at), name: key.slice(at + 1) }
}

const toProperty = ({ id, pausedAt, ...row }: PropertyRow): Property => ({ id: String(id), ...row, paused: pausedAt !== null })

function googleRefusal(problem: GoogleProblem): Refusal {
  switch (problem.kind) {
    case 'token_revoked':
      return new Refusal(502, 'Google no longer accepts our access. Reconnect your Google account.')
    case 'scope_missing':
      return new Refusal(502, "Ranklark wasn't granted access to Search Console data. Reconnect and keep the Search Console box checked.")
    case 'api_disabled':
      return new Refusal(
        502,
        "The Search Console API is disabled in this installation's Google Cloud project. Ask your administrator to enable it.",
      )
    default:
      return new Refusal(502, `Google couldn't list your properties: ${problem.detail}`)
  }
}
