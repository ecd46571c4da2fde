import type { SendText } from '../allowance.ts'
import type { Channel } from '../channels/channel.ts'
import { smsText } from './sms-text.ts'

/** Text messages about critical alerts; null without an SMS provider. */
export function createSmsChannel(sendText: SendText | null): Channel {
  return {
    async send({ message, destination, person, baseUrl }, signal) {
      if (sendText === null) return { outcome: 'refused', reason: "This installation can't send text messages.", disables: false }
      const body = smsText(message, baseUrl)
      if (body === null) return { outcome: 'refused', reason: 'Only critical alerts are sent by SMS; there were none.', disables: false }
      return sendText({ userId: person.id, kind: 'alert', to: destination, body, signal })
    },
  }
}
