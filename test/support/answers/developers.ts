import { type ApiKey, newApiKey } from '../../../src/contract/api-keys.ts'
import type { HeldPlan } from '../../../src/contract/user.ts'
import { apiRefusal } from '../../../src/core/billing/entitlements.ts'
import type { Desk } from './desk.ts'
import { now } from './usual.ts'

export const secretOf = (name: string): string => `rk_${name.replaceAll(/\W/g, '').padEnd(43, '0')}`

export const keyOf = (change: Partial<ApiKey> = {}): ApiKey => ({
  id: '1',
  name: 'Looker Studio',
  scope: 'read',
  start: 'rk_4fQ2',
  createdAt: now.toISOString(),
  lastUsedAt: null,
  expiresAt: null,
  ...change,
})

/** A user's keys on a given plan; creating and revoking keys changes the list. */
export function keepsKeys(desk: Desk, plan: HeldPlan, first: readonly ApiKey[] = []): void {
  let keys = [...first]
  desk.answer('GET /api/webhook-deliveries', { deliveries: [], more: false })
  desk.answer('GET /api/keys', () => ({ locked: apiRefusal(plan, 'read'), writeLocked: apiRefusal(plan, 'full'), keys }))
  desk.answer('POST /api/keys', ({ body }) => {
    const { name, scope, days } = newApiKey.parse(body)
    const key = secretOf(name)
    const expiresAt = days === null ? null : new Date(now.getTime() + days * 86_400_000).toISOString()
    const apiKey = keyOf({ id: String(keys.length + 1), name, scope, start: key.slice(0, 7), expiresAt })
    keys = [apiKey, ...keys]
    return { key, apiKey }
  })
  desk.answer('DELETE /api/keys/:id', ({ params }) => {
    keys = keys.filter(({ id }) => id !== params['id'])
    return null
  })
}
