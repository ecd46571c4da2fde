import { z } from 'zod'
import { byId, cleanedText, oneLine } from './common.ts'
import { signedIn } from './endpoint.ts'

/** What a key may do: read, or also write. */
export const apiScope = z.enum(['read', 'write'])
export type ApiScope = z.infer<typeof apiScope>

/** An API and MCP key as its owner sees it: the key itself is shown once. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  scope: apiScope,
  /** Its first characters, to distinguish keys: `rk_4fQ2`. */
  start: z.string(),
  createdAt: z.iso.datetime(),
  /** Accurate to the minute. */
  lastUsedAt: z.iso.datetime().nullable(),
  /** Null if never. */
  expiresAt: z.iso.datetime().nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** Why the plan doesn't allow reading, or writing; null if it does. */
export const apiKeys = z.object({ locked: z.string().nullable(), writeLocked: z.string().nullable(), keys: z.array(apiKey) })
export type ApiKeys = z.infer<typeof apiKeys>

export const newApiKey = z.object({
  name: cleanedText(80, oneLine, 'The name must be at most 80 characters').min(1, 'Enter a name for the key'),
  scope: apiScope,
  /** Days until it expires; null: never. */
  days: z.number().int().min(1).max(730).nullable(),
})
export type NewApiKey = z.infer<typeof newApiKey>
export const apiKeyMade = z.object({ key: z.string(), apiKey })

export const apiKeyEndpoints = {
  list: signedIn.get('/api/keys', { answer: apiKeys }),
  make: signedIn.post('/api/keys', { proof: 'always', body: newApiKey, answer: apiKeyMade, status: 201 }),
  /** Takes effect at once; allowed on any plan. */
  revoke: signedIn.remove('/api/keys/:id', { params: byId }),
}
