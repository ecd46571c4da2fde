import { z } from 'zod'
import { ControlError, faultHandlers, type Handlers, limitHandlers, logHandlers } from '../lib/control.ts'
import { faultShape, untilAfter } from '../lib/faults.ts'
import { ERROR_NAMES, ERRORS } from './errors.ts'
import { SERVICES_PREFIX } from './post.ts'
import { HOOK_STATES } from './store.ts'
import type { World } from './world.ts'

/** Default number of seconds that Slack asks to wait. */
const RETRY_AFTER = 30

const failInput = z.object({ ...faultShape, error: z.enum(ERROR_NAMES).optional() })

/** The webhook's path, or the full URL given out for it. */
const hookName = z
  .string()
  .transform((value) => (value.includes(SERVICES_PREFIX) ? value.slice(value.indexOf(SERVICES_PREFIX) + SERVICES_PREFIX.length) : value))
  .refine((value) => /^T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]+$/.test(value), 'not T…/B…/…')

const hookInput = z.object({
  hook: hookName,
  name: z.string().optional(),
  channel: z.string().startsWith('#').optional(),
  state: z.enum(HOOK_STATES).optional(),
})
const channelInput = z.object({ channel: z.string(), archived: z.boolean() })
const settingsInput = z.object({ open: z.boolean() })

function state(world: World): unknown {
  return {
    hooks: world.store.hooks(),
    messages: world.store.messages().length,
    open: world.open,
    limit: world.limit.limit,
    faults: world.faults.list(),
    delay: world.faults.delay,
  }
}

export const handlers: Handlers<World> = {
  ...faultHandlers,
  ...limitHandlers,
  ...logHandlers,
  'GET state': state,
  'POST fail': (world, body) => {
    const { error, seconds, ...fault } = failInput.parse(body)
    const named = error && { status: ERRORS[error], body: error, ...(error === 'rate_limited' && { retryAfter: RETRY_AFTER }) }
    world.faults.add({ ...named, ...fault, until: untilAfter(seconds) })
    return { faults: world.faults.list() }
  },
  'PUT hooks': (world, body) => {
    const { hook, ...given } = hookInput.parse(body)
    const before = world.store.hook(hook) ?? { name: hook, channel: '#general', state: 'active' as const }
    world.store.setHook({
      hook,
      name: given.name ?? before.name,
      channel: given.channel ?? before.channel,
      state: given.state ?? before.state,
    })
    return { ...world.store.hook(hook), path: SERVICES_PREFIX + hook }
  },
  'PUT channel': (world, body) => {
    const { channel, archived } = channelInput.parse(body)
    const affected = world.store.hooks().filter((each) => each.channel === channel)
    if (affected.length === 0) throw new ControlError(404, `no webhook posts to ${channel}`)
    for (const each of affected) world.store.setHook({ ...each, state: archived ? 'archived' : 'active' })
    return { hooks: world.store.hooks() }
  },
  'PUT settings': (world, body) => {
    world.open = settingsInput.parse(body).open
    return state(world)
  },
  'DELETE messages': (world) => {
    world.store.clearMessages()
    return {}
  },
  'POST reset': (world) => {
    world.reset()
    return state(world)
  },
}
