import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const subscription = z.object({ userId: z.string(), address: z.string() })
/** Whose mail goes where. */
export type Subscription = z.infer<typeof subscription>

/**
 * What stands in the unsubscribe links of mails: whoever has the mail may stop those that follow, without signing in. It never
 * expires, since old mails lie in mailboxes for years.
 * @param secret of this purpose alone (platform/secrets.ts)
 */
export function createUnsubscribeTokens(secret: Buffer) {
  const signed = (payload: string): string => createHmac('sha256', secret).update(`unsubscribe/v1 ${payload}`).digest('base64url')

  return {
    /** Of letters that need no escaping in an address. */
    make({ userId, address }: Subscription): string {
      const payload = Buffer.from(JSON.stringify({ userId, address })).toString('base64url')
      return `${payload}.${signed(payload)}`
    },

    /** Answers null for what we did not make. */
    read(token: string): Subscription | null {
      const [payload = '', given = '', ...more] = token.split('.')
      const [mine, theirs] = [Buffer.from(signed(payload)), Buffer.from(given)]
      if (more.length > 0 || mine.length !== theirs.length || !timingSafeEqual(mine, theirs)) return null
      return subscription.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    },
  }
}
export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>
