import { createHmac, randomBytes } from 'node:crypto'

/** The prefix of a Standard Webhooks secret, followed by base64. */
export const secretPrefix = 'whsec_'

/** 32 random bytes. */
export const newSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

export type Signed = {
  /** The same for every attempt; contains no dot. */
  id: string
  /** The time of this attempt. */
  at: Date
  body: string
}

/** The headers that prove a request is ours and recent (standardwebhooks.com, version 1.0.0). */
export function signatureHeaders(secret: string, { id, at, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
