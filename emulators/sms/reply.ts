import { type Message } from './message.ts'
import { API_VERSION } from './options.ts'
import { newMessage } from './send.ts'
import type { World } from './world.ts'

/** Words that Twilio acts on itself if they are the whole message, and its replies. */
const STOP = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'])
const START = new Set(['START', 'YES', 'UNSTOP'])
const STOPPED =
  'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.'
const STARTED =
  'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe. Msg&Data Rates May Apply.'

/** Somebody texts one of our numbers. */
export function receiveReply(world: World, theirs: string, ours: string, body: string): Message {
  const inbound: Message = {
    ...newMessage(world, { direction: 'inbound', from: theirs, to: ours, body }),
    status: 'received',
    sent: Date.now(),
  }
  world.store.add(inbound)
  const word = body.trim().toUpperCase()
  if (STOP.has(word) || START.has(word)) {
    world.store.setOptedOut(ours, theirs, STOP.has(word))
    const answer = newMessage(world, { direction: 'outbound-reply', from: ours, to: theirs, body: STOP.has(word) ? STOPPED : STARTED })
    world.store.add(answer)
    world.delivery.start(answer)
  }
  if (world.inboundUrl !== null) world.callbacks.post(world.inboundUrl, inboundParams(inbound))
  return inbound
}

function inboundParams({ sid, accountSid, from, to, body, segments }: Message): Record<string, string> {
  return {
    SmsMessageSid: sid,
    NumMedia: '0',
    SmsSid: sid,
    SmsStatus: 'received',
    Body: body,
    To: to,
    NumSegments: String(segments),
    MessageSid: sid,
    AccountSid: accountSid,
    From: from ?? '',
    ApiVersion: API_VERSION,
  }
}
