import { z } from 'zod'
import { ControlError, faultHandlers, type Handlers, limitHandlers, logHandlers } from '../lib/control.ts'
import { faultShape, untilAfter } from '../lib/faults.ts'
import { DELIVERY_ERROR_CODES, DELIVERY_ERRORS, type DeliveryErrorCode, describe, ERROR_CODES, type ErrorCode } from './errors.ts'
import { receiveReply } from './reply.ts'
import type { World } from './world.ts'

/** Default number of seconds to wait. */
const RETRY_AFTER = 1

const number = z.string().regex(/^\+[1-9]\d{6,14}$/, 'not E.164')
const isErrorCode = (code: number): code is ErrorCode => ERROR_CODES.some((each) => each === code)
const isDeliveryError = (code: number): code is DeliveryErrorCode => DELIVERY_ERROR_CODES.some((each) => each === code)
const errorCode = z.custom<ErrorCode>((value) => typeof value === 'number' && isErrorCode(value), 'not a known error')

const failInput = z.object({ ...faultShape, code: errorCode.optional() })
const numberInput = z.object({ number, error: z.number().int().nullable() })
const accountInput = z.object({ trial: z.boolean(), verified: z.array(number).default([]) })
const deliveryInput = z.object({ stepMs: z.number().int().nonnegative().nullable() })
const inboundInput = z.object({ url: z.url().nullable() })
const replyInput = z.object({ from: number, to: number.optional(), body: z.string().min(1) })

function state(world: World): unknown {
  return {
    accountSid: world.accountSid,
    numbers: world.numbers,
    messagingServiceSid: world.messagingServiceSid,
    messages: world.store.list().length,
    optedOut: world.store.optedOut(),
    refused: Object.fromEntries(world.refused),
    failing: Object.fromEntries(world.delivery.failing),
    verified: world.verified,
    stepMs: world.delivery.stepMs,
    inboundUrl: world.inboundUrl,
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
    const { code, seconds, ...fault } = failInput.parse(body)
    const headers = { 'content-type': 'application/json; charset=UTF-8', ...fault.headers }
    const named = code && { ...describe(code), ...(code === 20429 && { retryAfter: RETRY_AFTER }) }
    world.faults.add({ ...named, ...fault, ...(code && { headers }), until: untilAfter(seconds) })
    return { faults: world.faults.list() }
  },
  'PUT numbers': (world, body) => {
    const { number: which, error } = numberInput.parse(body)
    if (error !== null && !isErrorCode(error) && !isDeliveryError(error)) {
      throw new ControlError(400, `error must be one of ${[...ERROR_CODES, ...Object.keys(DELIVERY_ERRORS)].join(', ')}`)
    }
    world.refused.delete(which)
    world.delivery.failing.delete(which)
    if (error !== null && isErrorCode(error)) world.refused.set(which, error)
    else if (error !== null) world.delivery.failing.set(which, error)
    return { number: which, error }
  },
  'PUT account': (world, body) => {
    const { trial, verified } = accountInput.parse(body)
    world.verified = trial ? verified : null
    return { trial, verified }
  },
  'PUT delivery': (world, body) => {
    world.delivery.stepMs = deliveryInput.parse(body).stepMs
    world.delivery.restart()
    return { stepMs: world.delivery.stepMs }
  },
  'POST deliver': async (world) => {
    world.delivery.release()
    await world.callbacks.settled()
    return {}
  },
  'PUT inbound': (world, body) => {
    world.inboundUrl = inboundInput.parse(body).url
    return { url: world.inboundUrl }
  },
  'POST reply': async (world, body) => {
    const { from, to, body: text } = replyInput.parse(body)
    const { sid } = receiveReply(world, from, to ?? world.sender, text)
    await world.callbacks.settled()
    return { sid, optedOut: world.store.optedOut() }
  },
  'GET callbacks': async (world) => {
    await world.callbacks.settled()
    return { callbacks: world.callbacks.list() }
  },
  'DELETE callbacks': (world) => {
    world.callbacks.clear()
    return {}
  },
  'DELETE messages': (world) => {
    world.delivery.stop()
    world.store.clearMessages()
    return {}
  },
  'POST reset': (world) => {
    world.reset()
    return state(world)
  },
}
