import { createHmac } from 'node:crypto'

/** The `Stripe-Signature` of a body. Always uses the real time: receivers compare it with their own clock. */
export function signatureOf(body: string, secret: string, seconds = Math.floor(Date.now() / 1000)): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
