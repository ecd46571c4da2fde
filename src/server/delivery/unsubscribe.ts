import type { unsubscribeAnswer } from '../../contract/delivery/channels.ts'
import type { z } from 'zod'
import type { AccountsService, Person } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { ChannelsService } from './channels/service.ts'
import type { DeliveryService } from './service.ts'
import { maskedAddress } from './shown.ts'

export type UnsubscribeDeps = {
  accounts: Pick<AccountsService, 'person'>
  channels: Pick<ChannelsService, 'email'>
  delivery: Pick<DeliveryService, 'settingsOf' | 'switchEmailOff'>
  tokens: { read(token: string): { userId: string; address: string } | null }
}

type Subscription = z.infer<typeof unsubscribeAnswer>

/**
 * Ends alert emails for whoever holds an email's link, signed in or not. The link of an address that gets no more email ends no other: its
 * reader has no say over emails elsewhere. An address other than the account's own gets no more alerts, whatever the account's owner does
 * (docs/decisions/0059).
 */
export function createUnsubscribe({ accounts, channels, delivery, tokens }: UnsubscribeDeps) {
  async function look(token: string): Promise<{ person: Person | null; address: string; answer: Subscription }> {
    const known = tokens.read(token)
    if (!known) throw new Refusal(400, 'This link is incomplete or too old. Open it again from the email, or from a newer one.', 'token')
    const person = await accounts.person(known.userId)
    const goesThere = person !== null && (await channels.email.addressOf(person)).toLowerCase() === known.address.toLowerCase()
    const subscribed = goesThere && (await delivery.settingsOf(person.id, person.plan)).emailEnabled
    // Whoever deleted the account that asked may come back with another one.
    const asked = !goesThere && (await channels.email.mayBeAsked(person?.id ?? null, known.address))
    return { person, address: known.address, answer: { address: maskedAddress(known.address), subscribed, ...(asked && { asked }) } }
  }

  return {
    /** @throws Refusal 400 for a link that isn't ours */
    of: async (token: string): Promise<Subscription> => (await look(token)).answer,

    /** Can be repeated. @throws Refusal 400 for a link that isn't ours */
    async end(token: string): Promise<Subscription> {
      const { person, address, answer } = await look(token)
      // Switch it off first, or pending messages would go to the account's own address instead.
      if (person && answer.subscribed) await delivery.switchEmailOff(person)
      if (person) await channels.email.leave(person, address)
      else await channels.email.refuseNext(address)
      return { address: answer.address, subscribed: false }
    },
  }
}
export type Unsubscribe = ReturnType<typeof createUnsubscribe>
