import { z } from 'zod'
import { answerShape } from '../lib/answer.ts'
import { faultHandlers, type Handlers } from '../lib/control.ts'
import { faultShape, untilAfter } from '../lib/faults.ts'
import { FRIENDLY, type World } from './world.ts'

/** Requests are recorded in any case, so nothing depends on this. */
const failInput = z.object(faultShape).omit({ executed: true })
const answerInput = z.object(answerShape)

function state(world: World): unknown {
  const { underWay, mostUnderWay } = world
  return {
    messages: world.list().length,
    underWay,
    mostUnderWay,
    answer: world.answer,
    faults: world.faults.list(),
    delay: world.faults.delay,
  }
}

export const handlers: Handlers<World> = {
  ...faultHandlers,
  'GET state': state,
  'PUT answer': (world, body) => {
    world.answer = answerInput.parse(body)
    return world.answer
  },
  'DELETE answer': (world) => {
    world.answer = FRIENDLY
    return world.answer
  },
  'POST fail': (world, body) => {
    const { seconds, ...fault } = failInput.parse(body)
    world.faults.add({ ...fault, until: untilAfter(seconds), executed: true })
    return { faults: world.faults.list() }
  },
  'DELETE messages': (world) => {
    world.clear()
    return {}
  },
  'POST reset': (world) => {
    world.clear()
    world.faults.clear()
    world.answer = FRIENDLY
    return state(world)
  },
}
