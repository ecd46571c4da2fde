import { z } from 'zod'
import { secretPrefix } from './signature.ts'

const destination = z.object({
  url: z.url({ protocol: /^https?$/ }),
  secret: z.string().regex(new RegExp(`^${secretPrefix}[A-Za-z0-9+/]{32,}={0,2}$`)),
})

/** Where a webhook goes, and what its requests are signed with: both are its owner's alone. */
export type WebhookDestination = z.infer<typeof destination>

/** As it is stored, sealed. */
export const webhookDestinationText = ({ url, secret }: WebhookDestination): string => JSON.stringify({ url, secret })

/** Null for what `webhookDestinationText` did not write. */
export function readWebhookDestination(text: string): WebhookDestination | null {
  try {
    return destination.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
