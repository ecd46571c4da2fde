import { z } from 'zod'
import { faultHandlers, type Handlers } from '../lib/control.ts'
import { lastingShape, untilAfter } from '../lib/faults.ts'
import { FAULT_NAMES } from './faults.ts'
import type { Listener } from './listener.ts'
import type { World } from './world.ts'

const failInput = z.object({ ...lastingShape, error: z.enum(FAULT_NAMES), to: z.string().optional() })
const listeningInput = z.object({ listening: z.boolean() })

function state(world: World, listener: Listener): unknown {
  return {
    listening: listener.listening,
    port: listener.port,
    messages: world.mailbox.list().length,
    faults: world.faults.list(),
    delay: world.faults.delay,
  }
}

export const handlersOf = (listener: Listener): Handlers<World> => ({
  ...faultHandlers,
  'GET state': (world) => state(world, listener),
  'POST fail': (world, body) => {
    const { seconds, ...fault } = failInput.parse(body)
    world.faults.add({ ...fault, until: untilAfter(seconds) })
    return { faults: world.faults.list() }
  },
  'PUT listening': async (world, body) => {
    await (listeningInput.parse(body).listening ? listener.listen() : listener.stop())
    return state(world, listener)
  },
  'GET attempts': (world) => ({ attempts: world.attempts(), logins: world.logins }),
  'DELETE attempts': (world) => {
    world.forgetAttempts()
    return {}
  },
  'DELETE messages': (world) => {
    world.mailbox.clear()
    return {}
  },
  'POST reset': async (world) => {
    world.mailbox.clear()
    world.forgetAttempts()
    world.faults.clear()
    await listener.listen()
    return state(world, listener)
  },
})
