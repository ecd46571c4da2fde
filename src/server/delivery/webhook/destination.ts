import { z } from 'zod'
import { secretPrefix } from './signature.ts'

const destination = z.object({
  url: z.url({ protocol: /^https?$/ }),
  secret: z.string().regex(new RegExp(`^${secretPrefix}[A-Za-z0-9+/]{32,}={0,2}$`)),
})

/** A webhook's URL and signing key: both are for its owner only. */
export type WebhookDestination = z.infer<typeof destination>

/** Its stored form before encryption. */
export const webhookDestinationText = ({ url, secret }: WebhookDestination): string => JSON.stringify({ url, secret })

/** Null for anything not written by `webhookDestinationText`. */
export function readWebhookDestination(text: string): WebhookDestination | null {
  try {
    return destination.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
