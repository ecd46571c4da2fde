import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** `cus_…`, `sub_…`: Stripe's ids have a prefix for each kind of object. */
export const newId = (prefix: string): string => `${prefix}_${randomText(prefix === 'cus' || prefix === 'prod' ? 14 : 24)}`

/** Lets a browser act on one intent. */
export const newClientSecret = (intentId: string): string => `${intentId}_secret_${randomText(25)}`
