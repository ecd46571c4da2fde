import { createHash, randomBytes } from 'node:crypto'
import type { ApiKey, ApiKeys, ApiScope, NewApiKey } from '../../contract/api-keys.ts'
import { apiRefusal } from '../../core/billing/entitlements.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import { noteKey } from '../audit/origin.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import { type ApiKeyRow, type KeysStore, mostKeys } from './keys-store.ts'
import { ApiProblem } from './problem.ts'

const prefix = 'rk_'
const keyForm = /^rk_[\w-]{43}$/
/** Characters of a key shown later. */
const shownStart = 7
const dayMs = 86_400_000
/** How often a key's use is noted. */
const noteUseMs = 60_000

/** The person behind a request's key. */
export type KeyHolder = { person: Person; key: { id: number; scope: ApiScope } }

/** API keys: created by people in the app, sent by programs. */
export function createKeys({ store, accounts, clock }: { store: KeysStore; accounts: Pick<AccountsService, 'person'>; clock: Clock }) {
  return {
    async list(person: Person): Promise<ApiKeys> {
      const keys = (await store.list(person.id)).map(keyView)
      return { locked: apiRefusal(person.plan, 'read'), writeLocked: apiRefusal(person.plan, 'full'), keys }
    },

    /** Only this answer contains the key. @throws Refusal 403 if the plan has no API, 409 if there are too many */
    async make(person: Person, { name, scope, days }: NewApiKey): Promise<{ key: string; apiKey: ApiKey }> {
      const refusal = apiRefusal(person.plan, scope === 'write' ? 'full' : 'read')
      if (refusal) throw new Refusal(403, refusal, 'scope')
      const now = clock.now()
      const key = prefix + randomBytes(32).toString('base64url')
      const row = await store.add(person, {
        name,
        scope,
        hash: hashOf(key),
        start: key.slice(0, shownStart),
        createdAt: now,
        expiresAt: days === null ? null : new Date(now.getTime() + days * dayMs),
      })
      if (!row) throw new Refusal(409, `You've reached the limit of ${mostKeys} keys. Revoke one to create another.`)
      return { key, apiKey: keyView(row) }
    },

    /** The key stops working at once. @throws Refusal 404 if it isn't theirs */
    async revoke(person: Person, id: string): Promise<void> {
      if (!(await store.remove(person.id, id, clock.now()))) throw new Refusal(404, "This key doesn't exist or isn't yours.")
    },

    /** Revokes all of somebody's keys in a transaction. */
    revokeAll: (userId: string, transaction: Db): Promise<void> => store.removeAll(transaction, userId, clock.now()),

    /** Who may come in with this `Authorization` header. @throws ApiProblem 401 without a valid key, 403 if the plan has no API */
    async holderOf(authorization: string | undefined): Promise<KeyHolder> {
      const [, key] = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? []
      if (key === undefined)
        throw unauthenticated('Send a key in the `Authorization: Bearer rk_…` header. You can create keys under API & Webhooks.')
      const row = keyForm.test(key) ? await store.byHash(hashOf(key)) : undefined
      if (!row) throw unauthenticated('This key is unknown. It may have been revoked.', 'invalid_token')
      const now = clock.now()
      if (row.expiresAt !== null && row.expiresAt <= now) throw unauthenticated('This key has expired. Create a new one.', 'invalid_token')
      const person = await accounts.person(row.userId)
      if (!person) throw unauthenticated('This key is unknown. It may have been revoked.', 'invalid_token')
      const locked = apiRefusal(person.plan, 'read')
      if (locked) throw new ApiProblem('plan', locked)
      noteKey(row.name)
      const notedSince = new Date(now.getTime() - noteUseMs)
      if (row.lastUsedAt === null || row.lastUsedAt < notedSince) await store.noteUse(row, now, notedSince)
      return { person: { ...person, accessVersion: row.accessVersion }, key: { id: row.id, scope: row.scope } }
    },
  }
}
export type Keys = ReturnType<typeof createKeys>

/** @throws ApiProblem 403 if the plan, or the key, doesn't allow changes */
export function requireScope({ person, key }: KeyHolder, scope: ApiScope): void {
  if (scope === 'read') return
  const locked = apiRefusal(person.plan, 'full')
  if (locked) throw new ApiProblem('plan', locked)
  if (key.scope !== 'write') throw new ApiProblem('scope', 'This key is read-only. Create a key with write access under API & Webhooks.')
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

function unauthenticated(detail: string, error?: 'invalid_token'): ApiProblem {
  const challenge = `Bearer realm="Ranklark"${error === undefined ? '' : `, error="${error}"`}`
  return new ApiProblem('unauthenticated', detail, { headers: { 'www-authenticate': challenge } })
}

const keyView = (row: ApiKeyRow): ApiKey => ({
  id: String(row.id),
  name: row.name,
  scope: row.scope,
  start: row.start,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})
