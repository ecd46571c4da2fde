import type { Channel } from '../channel.ts'
import type { SmsClient } from './sms-client.ts'
import { smsText } from './sms-text.ts'

/** Text messages of critical alerts; null: this installation has no SMS provider. */
export function createSmsChannel(client: SmsClient | null): Channel {
  return {
    async send({ message, destination, baseUrl }, signal) {
      if (client === null) return { outcome: 'refused', reason: 'This installation sends no text messages.', disables: false }
      const body = smsText(message, baseUrl)
      if (body === null)
        return { outcome: 'refused', reason: 'Nothing in it is critical: text messages tell of nothing else.', disables: false }
      return client.sendText({ to: destination, body, signal })
    },
  }
}
