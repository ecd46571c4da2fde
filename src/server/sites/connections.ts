import { isReadable } from '../../core/accounts/site-access.ts'
import type { GoogleOAuth } from '../google/oauth.ts'
import { fail, type GoogleResult, succeed } from '../google/problem.ts'
import type { SearchConsole, SiteEntry } from '../google/search-console.ts'
import type { Clock } from '../platform/clock.ts'
import type { ConnectionProblem, ConnectionStore } from './connection-store.ts'
import { otherFormOf, usualForms } from './property-form.ts'

/** A person's Google side: working access tokens, and the known problem if there are none. */
export type Connections = {
  /** An access token valid for at least another minute; renewed if needed. */
  accessToken(userId: string): Promise<GoogleResult<string>>
  /** Google refused this token early: the next call gets a new one. */
  forgetAccessToken(userId: string, token: string): Promise<void>
  noteProblem(userId: string, problem: ConnectionProblem): Promise<void>
  /** Notes that Google answers again. */
  noteWorks(userId: string): Promise<void>
  /** The account's properties as currently listed by Google. */
  listSites(userId: string): Promise<GoogleResult<SiteEntry[]>>
  /** One property as Google currently has it, with its exact name. */
  site(userId: string, name: string): Promise<GoogleResult<SiteEntry>>
  /** The form in which the account does have a site that Google refuses as `name`; null if there is none. */
  otherForm(userId: string, name: string): Promise<string | null>
}

const marginMs = 60_000

export type ConnectionsDeps = { store: ConnectionStore; oauth: GoogleOAuth; searchConsole: SearchConsole; clock: Clock }

export function createConnections(deps: ConnectionsDeps): Connections {
  const renewals = new Map<string, Promise<GoogleResult<string>>>()

  async function renew(userId: string, refreshToken: string): Promise<GoogleResult<string>> {
    const answer = await deps.oauth.refresh(refreshToken)
    const isHeld = answer.ok
      ? await deps.store.renewed(userId, refreshToken, answer.value, deps.clock.now())
      : (await deps.store.load(userId))?.refreshToken === refreshToken
    // Somebody connected another account meanwhile: Google's answer is about the previous one.
    if (!isHeld) return accessToken(userId)
    return answer.ok ? succeed(answer.value.accessToken) : answer
  }

  /** Calls finding the same token expired share one renewal. */
  async function accessToken(userId: string): Promise<GoogleResult<string>> {
    const stored = await deps.store.load(userId)
    if (!stored) return fail('token_revoked', 'Connect a Google account first.')
    const goodUntil = stored.accessTokenExpiresAt?.getTime() ?? 0
    if (stored.accessToken && goodUntil > deps.clock.now().getTime() + marginMs) return succeed(stored.accessToken)
    const key = JSON.stringify([userId, stored.refreshToken])
    const underway = renewals.get(key)
    if (underway) return underway
    const renewal = renew(userId, stored.refreshToken).finally(() => renewals.delete(key))
    renewals.set(key, renewal)
    return renewal
  }

  /** Asks with a working token, and retries with a new one if Google refuses it early. */
  async function withToken<T>(userId: string, question: (token: string) => Promise<GoogleResult<T>>): Promise<GoogleResult<T>> {
    const token = await accessToken(userId)
    if (!token.ok) return token
    const answer = await question(token.value)
    if (answer.ok || answer.problem.kind !== 'token_revoked') return answer
    await forgetAccessToken(userId, token.value)
    const renewed = await accessToken(userId)
    return renewed.ok ? question(renewed.value) : renewed
  }

  const listSites = (userId: string) => withToken(userId, (token) => deps.searchConsole.sites(token))
  const site = (userId: string, name: string) => withToken(userId, (token) => deps.searchConsole.site(token, name))

  const forgetAccessToken = (userId: string, token: string): Promise<void> => deps.store.forgetAccessToken(userId, token, deps.clock.now())

  return {
    accessToken,
    forgetAccessToken,
    listSites,
    site,
    noteProblem: (userId, problem) => deps.store.noteState(userId, problem, deps.clock.now()),
    noteWorks: (userId) => deps.store.noteState(userId, 'ok', deps.clock.now()),
    async otherForm(userId, name) {
      const sites = await listSites(userId)
      if (sites.ok) return otherFormOf(name, sites.value)
      // Without the list, try the usual forms one by one.
      for (const form of usualForms(name)) {
        const answer = await site(userId, form)
        if (answer.ok && isReadable({ kind: 'google', ...answer.value })) return form
      }
      return null
    },
  }
}
