import type { Outcome } from '../lib/api-call.ts'
import type { Call } from '../lib/http.ts'
import { ok, refused } from './errors.ts'
import { readPayload, Refused } from './payload.ts'
import type { Hook } from './store.ts'
import type { World } from './world.ts'

export const SERVICES_PREFIX = '/services/'

/** Channel of webhooks that weren't created explicitly. */
const DEFAULT_CHANNEL = '#general'

/** The webhook of a path, or why there is none. */
function hookOf(world: World, path: string): Hook | Outcome {
  const name = path.slice(SERVICES_PREFIX.length)
  const [team = '', service = '', token = '', ...more] = name.split('/')
  if (!/^T[A-Z0-9]+$/.test(team)) return refused('no_team', `${team} is not a team`)
  if (!/^B[A-Z0-9]+$/.test(service) || more.length > 0) return refused('no_service', `${name} is not a webhook`)
  const known = world.store.hook(name)
  if (known) return known
  const sameService = world.store.hooks().some((each) => each.hook.startsWith(`${team}/${service}/`))
  if (sameService) return refused('invalid_token', "not the webhook's token")
  if (!/^[A-Za-z0-9]+$/.test(token)) return refused('invalid_token', `${token} is not a token`)
  if (!world.open) return refused('no_service', 'nobody made this webhook')
  return { hook: name, name, channel: DEFAULT_CHANNEL, state: 'active' }
}

/** Why a webhook rejects everything. */
function closed({ state, channel }: Hook): Outcome | undefined {
  switch (state) {
    case 'active':
      return undefined
    case 'revoked':
      return refused('no_service', 'the webhook was revoked')
    case 'archived':
      return refused('channel_is_archived', `${channel} is archived`)
    case 'channelMissing':
      return refused('channel_not_found', `${channel} is gone`)
    case 'prohibited':
      return refused('action_prohibited', 'an administrator does not allow it')
  }
}

/** Accepts a message like hooks.slack.com. */
export function post(world: World, call: Call): Outcome {
  if (call.method !== 'POST') return refused('method_not_allowed', `${call.method} instead of POST`)
  const hook = hookOf(world, call.url.pathname)
  if ('reply' in hook) return hook
  const wait = world.limit.take(hook.hook)
  if (wait > 0) return refused('rate_limited', 'more than the webhook may send', wait)
  const shut = closed(hook)
  if (shut) return shut
  try {
    world.store.add(hook, readPayload(call))
    return ok
  } catch (error) {
    if (error instanceof Refused) return refused(error.error, error.message)
    throw error
  }
}
