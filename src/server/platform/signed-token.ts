import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import { sameText } from './secrets.ts'

export type SignedTokens<T> = {
  make(value: T): string
  /** Null for a token we didn't create. */
  read(token: string): T | null
}

/** Keys for one purpose only (secrets.ts): the first one signs; all verify, earlier ones until they are over. */
export type SigningKeys = readonly [newest: Buffer, ...before: { key: Buffer; isOver(): boolean }[]]

/**
 * Values that travel outside, say in an email's link, and return unchanged: anybody can read them, only we can create one. Tokens need no
 * escaping in URLs.
 */
export function createSignedTokens<T>([newest, ...before]: SigningKeys, schema: z.ZodType<T>): SignedTokens<T> {
  const signature = (payload: string, key: Buffer): string => createHmac('sha256', key).update(payload).digest('base64url')

  return {
    make(value) {
      const payload = Buffer.from(JSON.stringify(schema.parse(value))).toString('base64url')
      return `${payload}.${signature(payload, newest)}`
    },

    read(token) {
      const dot = token.indexOf('.')
      const payload = token.slice(0, Math.max(dot, 0))
      const theirs = token.slice(dot + 1)
      const verifying = [newest, ...before.flatMap(({ key, isOver }) => (isOver() ? [] : [key]))]
      if (!verifying.some((key) => sameText(signature(payload, key), theirs))) return null
      return schema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    },
  }
}
