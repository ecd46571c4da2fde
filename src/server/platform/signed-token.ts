import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'

export type SignedTokens<T> = {
  make(value: T): string
  /** Answers null for what we did not make. */
  read(token: string): T | null
}

export type SigningKeys = readonly [newest: Buffer, ...before: Buffer[]]

/**
 * Values that travel outside, say in the link of a mail, and come back as they went: anybody may read them, nobody
 * but us can make one. The letters of a token need no escaping in an address.
 * @param keys of this purpose alone (secrets.ts): the first one signs, what any of them signed is read
 */
export function createSignedTokens<T>([newest, ...before]: SigningKeys, schema: z.ZodType<T>): SignedTokens<T> {
  const signature = (payload: string, key: Buffer): string => createHmac('sha256', key).update(payload).digest('base64url')
  const signed = (payload: string, given: Buffer, key: Buffer): boolean => {
    const mine = Buffer.from(signature(payload, key))
    return mine.length === given.length && timingSafeEqual(mine, given)
  }

  return {
    make(value) {
      const payload = Buffer.from(JSON.stringify(schema.parse(value))).toString('base64url')
      return `${payload}.${signature(payload, newest)}`
    },

    read(token) {
      const dot = token.indexOf('.')
      const payload = token.slice(0, Math.max(dot, 0))
      const theirs = Buffer.from(token.slice(dot + 1))
      if (![newest, ...before].some((key) => signed(payload, theirs, key))) return null
      return schema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    },
  }
}
