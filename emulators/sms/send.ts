import { TwilioFailure, type ErrorCode } from './errors.ts'
import { type Message, newSid } from './message.ts'
import { segmentsOf } from './segments.ts'
import type { World } from './world.ts'

const E164 = /^\+[1-9]\d{6,14}$/
const SENDER = /^(\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/
const LONGEST_BODY = 1600
const TRIAL_PREFIX = 'Sent from your Twilio trial account - '

/** Twilio's magic numbers, and what happens to messages to and from them (twilio.com/docs/iam/test-credentials). */
const MAGIC_TO: Readonly<Record<string, ErrorCode>> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
}
const MAGIC_FROM: Readonly<Record<string, ErrorCode>> = { '+15005550001': 21212, '+15005550007': 21606, '+15005550008': 21611 }

/** The number a message is sent from, validated. */
function senderOf(world: World, form: URLSearchParams): string {
  const from = form.get('From') ?? ''
  const service = form.get('MessagingServiceSid') ?? ''
  if (from === '' && service === '') throw new TwilioFailure(21603)
  if (service !== '' && service !== world.messagingServiceSid) throw new TwilioFailure(21705)
  if (from === '') return world.sender
  const magic = MAGIC_FROM[from]
  if (magic !== undefined) throw new TwilioFailure(magic, { from })
  if (!SENDER.test(from)) throw new TwilioFailure(21212, { from })
  if (!world.numbers.includes(from)) throw new TwilioFailure(21606, { from })
  return from
}

function checkRecipient(world: World, to: string, from: string): void {
  const about = { to, from }
  if (!E164.test(to)) throw new TwilioFailure(21211, about)
  const refused = MAGIC_TO[to] ?? world.refused.get(to)
  if (refused !== undefined) throw new TwilioFailure(refused, about)
  if (world.verified && !world.verified.includes(to)) throw new TwilioFailure(21608, about)
  if (world.store.isOptedOut(from, to)) throw new TwilioFailure(21610, about)
}

/** Whether this URL can receive status callbacks. */
function checkCallback(callback: string | null): void {
  if (callback !== null && !/^https?:\/\//.test(callback)) throw new TwilioFailure(21609, { callback })
  if (callback !== null && !URL.canParse(callback)) throw new TwilioFailure(21609, { callback })
}

/** Accepts a message for sending, or throws a `TwilioFailure`. Sending the same message twice sends two: Twilio has no idempotency here. */
export function sendMessage(world: World, form: URLSearchParams): Message {
  const to = form.get('To') ?? ''
  if (to === '') throw new TwilioFailure(21604)
  const text = form.get('Body') ?? ''
  if (text === '') throw new TwilioFailure(21602)
  if (!E164.test(to)) throw new TwilioFailure(21211, { to })
  const from = senderOf(world, form)
  const body = world.verified ? TRIAL_PREFIX + text : text
  if ([...body].length > LONGEST_BODY) throw new TwilioFailure(21617)
  const statusCallback = form.get('StatusCallback') || null
  checkCallback(statusCallback)
  checkRecipient(world, to, from)
  const messagingServiceSid = form.get('MessagingServiceSid') || null
  const chosenLater = messagingServiceSid !== null && !form.get('From')
  const message: Message = {
    ...newMessage(world, { direction: 'outbound-api', from, to, body }),
    from: chosenLater ? null : from,
    status: chosenLater ? 'accepted' : 'queued',
    messagingServiceSid,
    statusCallback,
  }
  world.store.add(message)
  // The response is a snapshot; the message itself keeps changing.
  const answer = { ...message }
  world.delivery.start(message)
  return answer
}

type Basics = Pick<Message, 'direction' | 'to' | 'body'> & { readonly from: string }

/** A newly created message. */
export function newMessage(world: World, basics: Basics): Message {
  const now = Date.now()
  return {
    sid: newSid('SM'),
    accountSid: world.accountSid,
    segments: segmentsOf(basics.body),
    status: 'queued',
    errorCode: null,
    errorMessage: null,
    messagingServiceSid: null,
    statusCallback: null,
    created: now,
    updated: now,
    sent: null,
    ...basics,
  }
}
