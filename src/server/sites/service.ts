import { tooManyProperties } from '../../core/accounts/property-limit.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import type { PlanId, Property } from '../../contract/user.ts'
import { isReadable, noAccessWords } from '../../core/accounts/site-access.ts'
import { type Offer, siteLimitRefusal, siteLimitUnder } from '../../core/billing/offer.ts'
import { holdPerson, type Person, type ReportProperty, type Requester } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import { notYourProperty, Refusal } from '../common/errors.ts'
import type { EventBus } from '../common/events.ts'
import { awaitWriteTurn } from '../common/long-answers.ts'
import type { Grant } from '../google/oauth.ts'
import { searchConsoleScope } from '../google/oauth.ts'
import type { GoogleProblem } from '../google/problem.ts'
import { inBatches, oncePerKey } from '../platform/batches.ts'
import type { Clock } from '../platform/clock.ts'
import { createFairShare } from '../platform/fair-share.ts'
import type { Log } from '../platform/log.ts'
import type { ConnectedAccount, ConnectionStore, Revocation } from './connection-store.ts'
import type { Connections } from './connections.ts'
import type { Revocations } from './revocation-jobs.ts'
import type { Account, OwnedName, PropertyRow, SitesStore } from './store.ts'

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

/** Properties that take no noticeable time to write. */
const shortList = 50

export function createSitesService(deps: SitesDeps) {
  const { db, store, connectionStore, connections, revocations, offer } = deps
  const siteLimit = (plan: PlanId) => siteLimitUnder(offer, plan) ?? Infinity
  // Needed for almost every request.
  const listOf = inBatches(store.lists)
  const connectedOf = inBatches(connectionStore.connected)
  const reportOn = inBatches(async (keys) => {
    const rows = await store.reportsOn(keys.map(ownedNameOf))
    return new Map(rows.map(({ userId, ...property }) => [keyOf(userId, property.name), property]))
  })
  const list = async (userId: string): Promise<PropertyRow[]> => (await listOf(userId)) ?? []

  /** Call it when nothing is left to wait for before a person's properties become an answer: up to a megabyte. */
  async function turnToList(userId: string, properties: readonly unknown[]): Promise<void> {
    if (properties.length > shortList) await awaitWriteTurn(userId)
  }

  // A request that waits for rows locked by another one holds a connection, so a person has one of each kind at a time.
  const choices = createFairShare({ places: Infinity, perTenant: 1 })
  const refresh = oncePerKey(async (key): Promise<GoogleProblem | null> => {
    const { userId, name: googleSub } = ownedNameOf(key)
    const sites = await connections.listSites(userId)
    if (!sites.ok) return sites.problem
    const leftOut = await store.saveGoogleSites({ userId, googleSub }, sites.value)
    if (leftOut > 0) deps.log.warn({ userId, leftOut }, 'an account has no room for more properties')
    return null
  })

  /** Reads the connected Google account's properties into ours. */
  const refreshFromGoogle = (userId: string, googleSub: string): Promise<GoogleProblem | null> => refresh(keyOf(userId, googleSub))

  async function announce(monitored: readonly PropertyRow[]): Promise<void> {
    for (const property of monitored) {
      if (property.kind === 'google') await deps.events.emit('propertyMonitored', { propertyId: property.id })
    }
  }

  async function monitor(person: Requester, names: readonly string[], only: boolean): Promise<void> {
    const userId = person.id
    const choice = { only, refuse: (plan: PlanId, sites: number) => siteLimitRefusal(offer, plan, sites), now: deps.clock.now() }
    const known = new Map((await list(userId)).map((row) => [row.name, row]))
    const isGoogles = names.some((name) => known.get(name)?.kind !== 'imported' && known.get(name)?.monitored !== true)
    const googleSub = isGoogles ? await connectionStore.googleSub(userId) : null
    // Google may have granted or withdrawn access since the person saw the list; while it doesn't answer, its last list counts.
    const isListed = googleSub !== null && (await refreshFromGoogle(userId, googleSub)) === null
    const choose = () => choices.run(userId, () => store.monitor(person, names, choice))
    let answer = await choose()
    const unsure = 'unknown' in answer && only ? [answer.unknown] : 'unreadable' in answer && !isListed ? answer.unreadable : []
    const account = unsure.length > 0 ? await connectionStore.googleSub(userId) : null
    if (account !== null) {
      for (const name of unsure) await adoptTypedSite({ store, connections }, { userId, googleSub: account }, name)
      answer = await choose()
    }
    if ('unknown' in answer) throw new Refusal(404, `${propertyName(answer.unknown)} is not one of your properties.`)
    if ('unreadable' in answer) throw new Refusal(403, noAccessWords(answer.unreadable), only ? 'sites' : 'selectedProperty')
    if ('refusal' in answer) throw new Refusal(403, answer.refusal)
    await announce(answer.newlyMonitored)
  }

  /** The limit changed: pauses the sites beyond it, or resumes those within it. Repeating it changes nothing. */
  async function fitToLimit(userId: string): Promise<void> {
    await announce(await store.fitToLimit(userId, siteLimit, deps.clock.now()))
  }

  /** Disconnects somebody's Google account and hides its properties, in a transaction; a job informs Google. */
  async function release(userId: string, trx: Db): Promise<Revocation | null> {
    const now = deps.clock.now()
    const removed = await connectionStore.remove(userId, now, trx)
    await store.detachGoogleSites(userId, now, trx)
    if (removed) await revocations.later(removed, trx)
    return removed
  }

  return {
    list: async (userId: string): Promise<Property[]> => (await list(userId)).map(toProperty),

    turnToList,

    /** How many of their properties are monitored. */
    monitored: async (userId: string): Promise<number> => (await list(userId)).filter(({ monitored }) => monitored).length,

    /** All of the person's properties, with their list data. */
    listed: store.listed,

    /** Gives a property exactly these tags. @throws Refusal 404 */
    async setTags(userId: string, name: string, tags: readonly string[]): Promise<void> {
      // PostgreSQL refuses queries with it.
      const isTheirs = !name.includes('\0') && (await store.setTags(userId, name, tags))
      if (!isTheirs) throw notYourProperty(name)
    },

    /** The property to report on: the named or the selected one; null if it isn't theirs. */
    async reportOn(person: Person, name?: string): Promise<ReportProperty | null> {
      if (name === undefined || name === person.selected?.name) return person.selected
      // PostgreSQL refuses queries with it, including others' questions in the same batch.
      if (name.includes('\0')) return null
      return (await reportOn(keyOf(person.id, name))) ?? null
    },

    /**
     * The person's properties, refreshed from Google if an account is connected.
     * @throws Refusal 502 if Google doesn't answer, 403 if its consent is gone
     */
    async listFresh(userId: string): Promise<Property[]> {
      const googleSub = await connectionStore.googleSub(userId)
      if (googleSub !== null) {
        const problem = await refreshFromGoogle(userId, googleSub)
        if (problem) throw googleRefusal(problem)
      }
      const properties = (await list(userId)).map(toProperty)
      await turnToList(userId, properties)
      return properties
    },

    /** Selects a property and monitors it from now on, within the limit, if Google gives access to it. */
    select: (person: Requester, name: string): Promise<void> => monitor(person, [name], false),

    /**
     * Monitors exactly these of the person's properties; the first one becomes selected. Asks Google about unknown names, for people
     * whose list failed to load.
     */
    monitorOnly: (person: Requester, names: readonly string[]): Promise<void> => monitor(person, names, true),

    fitToLimit,

    /** Same for everybody, after this installation started or stopped selling plans, or the operator changed the limit. */
    async fitAll(): Promise<void> {
      const misfits = await store.misfits(siteLimit)
      if (misfits.length > 0) deps.log.info({ people: misfits.length }, 'the site limit changed: pausing or resuming sites')
      for (const userId of misfits) await fitToLimit(userId)
    },

    /**
     * Stores the result of Google's consent page. Google omits the refresh token on later consents: ours for the same account stays in use.
     * Revokes the permission of a previously connected other account.
     */
    async connect(person: Requester, identity: ConnectedAccount, grant: Grant): Promise<'connected' | 'scope_missing' | 'failed'> {
      const userId = person.id
      const held = await connectionStore.load(userId)
      if (!grant.scope.split(' ').includes(searchConsoleScope)) {
        // A working connection continues; a dead one now fails for this reason.
        if (held && held.state !== 'ok') await connections.noteProblem(userId, 'scope_missing')
        return 'scope_missing'
      }
      const sameAccount = (await connectionStore.googleSub(userId)) === identity.sub
      const refreshToken = grant.refreshToken ?? (held && sameAccount ? held.refreshToken : undefined)
      if (refreshToken === undefined) return 'failed'
      const now = deps.clock.now()
      const replaced = await db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const removed = await connectionStore.remove(userId, now, trx, identity.sub)
        await connectionStore.save(userId, identity, { ...grant, refreshToken }, now, trx)
        if (removed === null) return null
        // Only now: a list still arriving for the previous account finds another one connected.
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

    /**
     * Deletes the tokens, hides the properties, and revokes the permission at Google: at once, or as soon as it answers.
     * @throws Refusal 401 if the requester's access or session ended
     */
    async disconnect(person: Requester): Promise<void> {
      const held = await db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        return release(person.id, trx)
      })
      if (held) await revocations.atOnce(held)
    },

    release,

    isConnected: async (userId: string): Promise<boolean> => (await connectedOf(userId)) ?? false,
    /** Whose data is synced with this Google account, even if it doesn't log in to theirs; the latest if there are several. */
    ownerOfGoogleAccount: (sub: string): Promise<string | null> => connectionStore.ownerOf(sub),
    /** The Google account with the synced data; null without one. */
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
      return new Refusal(502, 'Google access expired or was revoked. Reconnect your Google account.')
    case 'scope_missing':
      return new Refusal(
        502,
        "Ranklark wasn't granted access to Search Console data. Reconnect and make sure the Search Console box is checked.",
      )
    case 'api_disabled':
      return new Refusal(
        502,
        "The Search Console API is disabled in this installation's Google Cloud project. Ask your administrator to enable it.",
      )
    default:
      return new Refusal(502, `Google couldn't list your properties: ${problem.detail}`)
  }
}

/**
 * Makes a typed site one of the person's properties, once Google has confirmed that their account can read it.
 * @throws Refusal 404 naming the form that would work, 403 without access to the site, 409 without room for it, 502 if Google doesn't
 * answer
 */
async function adoptTypedSite(
  { store, connections }: { store: SitesStore; connections: Connections },
  account: Account,
  name: string,
): Promise<void> {
  const { userId } = account
  const answer = await connections.site(userId, name)
  if (answer.ok) {
    if (!isReadable({ kind: 'google', ...answer.value })) throw new Refusal(403, noAccessWords([name]), 'sites')
    if (await store.addGoogleSite(account, answer.value)) return
    throw new Refusal(409, tooManyProperties, 'sites')
  }
  if (answer.problem.kind !== 'permission_missing')
    throw new Refusal(502, `Couldn't check ${propertyName(name)} with Google: ${answer.problem.detail}`, 'sites')
  const other = await connections.otherForm(userId, name)
  throw new Refusal(
    404,
    other === null
      ? `Your Google account has no property ${name}. Enter it exactly as in Search Console, such as https://www.example.com/ or sc-domain:example.com.`
      : `Search Console lists this site as ${other}. Please enter it that way.`,
    'sites',
  )
}
