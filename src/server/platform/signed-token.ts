import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'

export type SignedTokens<T> = {
  make(value: T): string
  /** Answers null for what we did not make. */
  read(token: string): T | null
}

/**
 * Values that travel outside, say in the link of a mail, and come back as they went: anybody may read them, nobody
 * but us can make one. The letters of a token need no escaping in an address.
 * @param key of this purpose alone (secrets.ts)
 */
export function createSignedTokens<T>(key: Buffer, schema: z.ZodType<T>): SignedTokens<T> {
  const signature = (payload: string): string => createHmac('sha256', key).update(payload).digest('base64url')

  return {
    make(value) {
      const payload = Buffer.from(JSON.stringify(schema.parse(value))).toString('base64url')
      return `${payload}.${signature(payload)}`
    },

    read(token) {
      const dot = token.indexOf('.')
      const payload = token.slice(0, Math.max(dot, 0))
      const [mine, theirs] = [Buffer.from(signature(payload)), Buffer.from(token.slice(dot + 1))]
      if (mine.length !== theirs.length || !timingSafeEqual(mine, theirs)) return null
      return schema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    },
  }
}
