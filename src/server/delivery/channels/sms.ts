import { randomInt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { smsRefusal } from '../../../core/billing/entitlements.ts'
import type { AccountsService, Person } from '../../accounts/service.ts'
import { Refusal } from '../../common/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SendText } from '../allowance.ts'
import type { ChannelsStore } from './store.ts'
import type { Connecting } from './connecting.ts'
import { noSmsProvider } from '../service.ts'
import { shownNumber } from '../shown.ts'

export type SmsDestinationDeps = {
  store: ChannelsStore
  connecting: Connecting
  /** Null without an SMS provider. */
  sendText: SendText | null
  attempts: AccountsService['attempts']
  clock: Clock
}

const codeMs = 10 * 60_000
const tries = 5
/** How long a person waits on screen for the provider. */
const patienceMs = 20_000

const waitingNumber = z.object({ number: z.string(), code: z.string(), expiresAt: z.iso.datetime(), triesLeft: z.number().int() })
type WaitingNumber = z.infer<typeof waitingNumber>

/** Where text messages go: a number whose owner entered the code sent to it. */
export function createSmsDestination({ store, connecting, sendText, attempts, clock }: SmsDestinationDeps) {
  return {
    /**
     * Sends a code. The current number stays until the new one is confirmed.
     * @param caller the requester's network address
     * @throws Refusal 403 because of the plan, 409 without a provider, 429 after too many codes, 400 or 502 with the provider's answer
     */
    async ask(person: Person, number: string, caller: string): Promise<void> {
      const uncovered = smsRefusal(person.plan)
      if (uncovered !== null) throw new Refusal(403, uncovered)
      if (sendText === null) throw new Refusal(409, noSmsProvider)
      await attempts.count('destination', { account: person.id, address: caller })
      const reached = { account: number, address: caller }
      await attempts.count('destinationReached', reached)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const body = `${code} is your Ranklark code. It expires in 10 minutes. If you didn't request it, ignore this message.`
      const sent = await sendText({ userId: person.id, kind: 'code', to: number, body, signal: AbortSignal.timeout(patienceMs) })
      // Nothing reached the number: refund the limit shared by all networks, which only counts codes that do.
      if (sent.outcome === 'refused') await attempts.unused('destinationReached', reached)
      if (sent.outcome === 'refused' && sent.disables) throw new Refusal(400, sent.reason, 'number')
      if (sent.outcome === 'refused' && sent.tooMany) throw new Refusal(429, sent.reason, 'number')
      if (sent.outcome !== 'sent') throw new Refusal(502, sent.reason)
      const expiresAt = new Date(clock.now().getTime() + codeMs).toISOString()
      const waiting: WaitingNumber = { number, code, expiresAt, triesLeft: tries }
      await store.change(person, 'sms', ({ set }) => set({ waiting: JSON.stringify(waiting), waitingShown: shownNumber(number) }))
    },

    /** @throws Refusal 403 because of the plan, 409 without a pending code, 400 for a wrong or expired one */
    async confirm(person: Person, code: string): Promise<void> {
      const refusal = await store.change(person, 'sms', async (inHand) => {
        const uncovered = smsRefusal(inHand.plan)
        if (uncovered !== null) return new Refusal(403, uncovered)
        const waiting = numberIn(inHand.held.waiting)
        if (!waiting) return new Refusal(409, 'No code was requested. Enter your number to get one.', 'code')
        if (Date.parse(waiting.expiresAt) <= clock.now().getTime())
          return new Refusal(400, 'This code has expired. Request a new one.', 'code')
        if (isSame(waiting.code, code)) {
          await connecting.connect(person.id, 'sms', inHand, { destination: waiting.number, shown: shownNumber(waiting.number) })
          return null
        }
        // A wrong code costs a try: throw the refusal only after that is stored.
        const triesLeft = waiting.triesLeft - 1
        if (triesLeft > 0) {
          await inHand.set({ waiting: JSON.stringify({ ...waiting, triesLeft } satisfies WaitingNumber) })
          return new Refusal(400, 'This code is incorrect. Check it and try again.', 'code')
        }
        await inHand.set({ waiting: null, waitingShown: null })
        return new Refusal(400, "This code is incorrect, and you're out of tries. Request a new code.", 'code')
      })
      if (refusal) throw refusal
      await connecting.changed(person.id)
    },
  }
}

const numberIn = (waiting: string | null): WaitingNumber | null => (waiting === null ? null : waitingNumber.parse(JSON.parse(waiting)))

function isSame(code: string, given: string): boolean {
  const [expected, bytes] = [Buffer.from(code), Buffer.from(given)]
  return expected.length === bytes.length && timingSafeEqual(expected, bytes)
}
