import type { Config } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Channel, Envelope, Outcome } from '../channel.ts'
import { post, type Posted } from '../outbound/request.ts'
import { later } from '../outbound/retry-after.ts'
import { type SlackMessage, slackMessage, slackText } from './blocks.ts'
import { checkedSlackUrl } from './slack-url.ts'

/** Posts to incoming webhooks (docs.slack.dev, "Sending messages using incoming webhooks"). */
export function createSlackChannel(config: Config['slack'], clock: Clock = systemClock): Channel {
  const ask = (url: string, { extra }: Envelope, message: SlackMessage, signal: AbortSignal): Promise<Posted> =>
    post({
      url: new URL(url),
      headers: { 'content-type': 'application/json' },
      // `parse: none` and no unfurling: Slack neither makes links of names nor asks for what a link shows.
      body: JSON.stringify({ ...message, ...(extra && { channel: extra }), parse: 'none', unfurl_links: false, unfurl_media: false }),
      // Where it may go has been checked: whoever runs this installation has named the host.
      reach: 'any',
      signal,
    })

  return {
    async send(envelope, signal) {
      const url = addressOf(config, envelope.destination)
      if (url === null) return gone(elsewhere)
      const first = await ask(url, envelope, slackMessage(envelope), signal)
      // Slack does not say what it did not like of a message, so it is said more simply.
      const answer = isMalformed(first) ? await ask(url, envelope, slackText(envelope), signal) : first
      return outcomeOf(answer, envelope.extra, clock.now())
    },
  }
}

/** Checked again at every message: the configuration may have changed since the address was given. */
function addressOf(config: Config['slack'], destination: string): string | null {
  try {
    return checkedSlackUrl(config, destination)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** What Slack answers, as one word, when nothing will be taken there any more: what it means, and what to do. */
const ends: Record<string, (extra: string | null) => string> = {
  no_service: () => `the webhook was revoked. ${another}`,
  no_service_id: () => `the webhook does not exist. ${another}`,
  no_active_hooks: () => `the webhook was switched off. ${another}`,
  no_team: () => `the workspace of this webhook does not exist. ${another}`,
  team_disabled: () => `the workspace was switched off. ${another}`,
  invalid_token: () => `the address is not complete, or the webhook was replaced. ${another}`,
  channel_is_archived: () => 'the channel was archived. Restore it in Slack, or make a webhook for another channel.',
  channel_not_found: (extra) =>
    extra === null ? `the channel was deleted. ${another}` : `there is no channel ${extra} for this webhook. Choose another one, or none.`,
  user_not_found: (extra) =>
    extra === null ? `whom it posts to is gone. ${another}` : `there is nobody called ${extra}. Choose another one, or none.`,
  action_prohibited: () => 'an administrator of the workspace does not allow it. Ask them, or use a webhook of another channel.',
  posting_to_general_channel_denied: () =>
    'an administrator does not allow posts to the general channel. Ask them, or use a webhook of another channel.',
}
const elsewhere = 'The webhook is not of the Slack that this installation uses. Paste its address again.'
const another = 'Make a new incoming webhook in Slack and paste its address.'

const wordOf = (body: string): string => /^[a-z_]{2,60}$/.exec(body.trim())?.[0] ?? ''
const isMalformed = (posted: Posted): boolean =>
  posted.kind === 'answer' && (posted.status === 400 || posted.status === 413) && ends[wordOf(posted.body)] === undefined

function outcomeOf(posted: Posted, extra: string | null, now: Date): Outcome {
  if (posted.kind === 'failed') return { outcome: 'later', reason: `Slack ${posted.what}.` }
  if (posted.kind === 'blocked') return gone(elsewhere)
  const { status, retryAfter, body } = posted
  const word = wordOf(body)
  const end = ends[word]
  const named = word === '' ? `${status}` : `${status} ${word}`
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  if (end !== undefined && status >= 400 && status < 500) return gone(`Slack says: ${end(extra)} (${word})`)
  if (status === 410) return gone(`Slack says that the webhook is gone for good. ${another}`)
  if (status === 429) return later('Slack takes no more messages at the moment (429).', retryAfter, now)
  if (status === 400 || status === 413) return { outcome: 'refused', reason: `Slack did not take the message (${named}).`, disables: false }
  if (status >= 300 && status < 400) return later(`Slack answered with a redirect (${status}), which is not followed.`, retryAfter, now)
  return later(`Slack could not take the message (${named}).`, retryAfter, now)
}

const gone = (reason: string): Outcome => ({ outcome: 'refused', reason, disables: true })
