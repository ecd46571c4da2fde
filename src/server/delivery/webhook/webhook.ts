import type { Config } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Channel, Outcome } from '../channels/channel.ts'
import { isAmong, type Resolve } from '../outbound/addresses.ts'
import { post, type Posted } from '../outbound/request.ts'
import { later } from '../outbound/retry-after.ts'
import { readWebhookDestination } from './destination.ts'
import { payloadOf } from './payload.ts'
import { signatureHeaders } from './signature.ts'
import { checkedWebhookUrl, privateAddress } from './webhook-url.ts'

/**
 * Signed JSON to people's own servers (docs/webhooks.md).
 * @param resolve for tests: the system's answer for a name
 */
export function createWebhookChannel(config: Config['webhooks'], clock: Clock, resolve?: Resolve): Channel {
  return {
    async send(envelope, signal) {
      const destination = readWebhookDestination(envelope.destination)
      if (destination === null) return gone('Your server URL can no longer be read. Enter it again.')
      const checked = allowed(config, destination.url)
      if (checked instanceof Refusal) return gone(checked.message)
      const body = JSON.stringify(payloadOf(envelope))
      const begun = performance.now()
      const posted = await post({
        url: checked,
        headers: {
          'content-type': 'application/json',
          ...signatureHeaders(destination.secret, { id: envelope.key, at: clock.now(), body }),
        },
        body,
        reach: isAmong(config.privateHosts, checked) ? 'any' : 'public',
        signal,
        ...(resolve && { resolve }),
      })
      const answered = posted.kind === 'answer' ? { status: posted.status, body: posted.body } : { status: null, body: '' }
      return { ...outcomeOf(posted, clock.now()), answer: { ...answered, ms: Math.round(performance.now() - begun) } }
    },
  }
}

/** Checked again for every message: the allowed addresses may have changed since the URL was saved. */
function allowed(config: Config['webhooks'], address: string): URL | Refusal {
  try {
    return new URL(checkedWebhookUrl(config, address))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function outcomeOf(posted: Posted, now: Date): Outcome {
  if (posted.kind === 'blocked') return gone(privateAddress)
  if (posted.kind === 'failed') return { outcome: 'later', reason: `Your server ${posted.what}.` }
  const { status, retryAfter } = posted
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  if (status === 410) return gone('Your server asked to stop receiving messages (410). Enter its URL again to resume.')
  if (status >= 300 && status < 400)
    return gone(`Your server responded with a redirect (${status}), which we don't follow. Enter the final URL.`)
  // Everything else may be fixed at the other end, and is retried for a day.
  return later(`Your server responded with ${status}.`, retryAfter, now)
}

const gone = (reason: string): Outcome => ({ outcome: 'refused', reason, disables: true })
