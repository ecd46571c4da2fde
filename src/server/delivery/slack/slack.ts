import type { Config } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Channel, Envelope, Outcome } from '../channels/channel.ts'
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
      // `parse: none` and no unfurling: Slack neither links names nor fetches what a link shows.
      body: JSON.stringify({ ...message, ...(extra && { channel: extra }), parse: 'none', unfurl_links: false, unfurl_media: false }),
      // The destination was checked: the operator configured the host.
      reach: 'any',
      signal,
    })

  return {
    async send(envelope, signal) {
      const url = addressOf(config, envelope.destination)
      if (url === null) return gone(elsewhere)
      const first = await ask(url, envelope, slackMessage(envelope), signal)
      // Slack doesn't say what it disliked about a message, so the retry is simpler.
      const answer = isMalformed(first) ? await ask(url, envelope, slackText(envelope), signal) : first
      return outcomeOf(answer, envelope.extra, clock.now())
    },
  }
}

/** Checked again for every message: the configuration may have changed since the URL was saved. */
function addressOf(config: Config['slack'], destination: string): string | null {
  try {
    return checkedSlackUrl(config, destination)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Slack's one-word answers when nothing will be accepted there anymore, with their meaning and what to do. */
const ends: Record<string, (extra: string | null) => string> = {
  no_service: () => `the webhook was revoked. ${another}`,
  no_service_id: () => `the webhook does not exist. ${another}`,
  no_active_hooks: () => `the webhook was turned off. ${another}`,
  no_team: () => `the workspace of this webhook does not exist. ${another}`,
  team_disabled: () => `the workspace was deactivated. ${another}`,
  invalid_token: () => `the URL is incomplete, or the webhook was replaced. ${another}`,
  channel_is_archived: () => 'the channel was archived. Unarchive it in Slack, or create a webhook for another channel.',
  channel_not_found: (extra) =>
    extra === null
      ? `the channel was deleted. ${another}`
      : `this webhook can't post to ${extra}. Choose another channel, or leave it empty.`,
  user_not_found: (extra) =>
    extra === null
      ? `the user it posts to no longer exists. ${another}`
      : `there is no user named ${extra}. Choose another channel, or leave it empty.`,
  action_prohibited: () => "a workspace admin doesn't allow it. Ask them, or use a webhook for another channel.",
  posting_to_general_channel_denied: () =>
    "an admin doesn't allow posts to the general channel. Ask them, or use a webhook for another channel.",
}
const elsewhere = "This webhook isn't on the Slack server this installation uses. Paste a new webhook URL."
const another = 'Create a new incoming webhook in Slack and paste its URL.'

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
  if (status === 410) return gone(`Slack says the webhook was permanently removed. ${another}`)
  if (status === 429) return later("Slack isn't accepting more messages right now (429).", retryAfter, now)
  if (status === 400 || status === 413) return { outcome: 'refused', reason: `Slack rejected the message (${named}).`, disables: false }
  if (status >= 300 && status < 400) return later(`Slack responded with a redirect (${status}), which we don't follow.`, retryAfter, now)
  return later(`Slack couldn't accept the message (${named}).`, retryAfter, now)
}

const gone = (reason: string): Outcome => ({ outcome: 'refused', reason, disables: true })
