import { billingEndpoints } from '../../contract/billing.ts'
import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'

/** Tells the Stripe stand-in this server's webhook URL, as one would in Stripe's dashboard. */
export async function registerWebhook(stripe: Config['stripe'], baseUrl: string, log: Log): Promise<void> {
  if (!stripe || stripe.scriptUrl === null) return
  try {
    const answer = await fetch(`${stripe.apiUrl}/_control/webhook`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${baseUrl}${billingEndpoints.webhook.path}` }),
      signal: AbortSignal.timeout(5_000),
    })
    if (answer.ok) return
    log.warn({ status: answer.status }, 'the Stripe stand-in does not know where to send webhooks')
  } catch {
    log.warn('the Stripe stand-in is not responding: demo payments will not work')
  }
}
