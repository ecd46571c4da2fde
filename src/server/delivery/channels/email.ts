import { z } from 'zod'
import { emailConfirmationClaim } from '../../../contract/delivery/channels.ts'
import { mailboxOf } from '../../../core/accounts/mailbox-of.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { type AccountsService, forgetEmailCounts, type Person } from '../../accounts/service.ts'
import { asReader } from '../../audit/origin.ts'
import { recordEvent } from '../../audit/record.ts'
import type { Db } from '../../database/open.ts'
import type { AskedAddresses } from '../../common/asked-addresses.ts'
import { Refusal } from '../../common/errors.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Clock } from '../../platform/clock.ts'
import { createSignedTokens } from '../../platform/signed-token.ts'
import type { ChannelsStore } from './store.ts'

export type EmailDestinationDeps = {
  db: Db
  store: ChannelsStore
  mailer: Mailer
  /** Whether this installation can send email. */
  hasMail: boolean
  /** Signs the links that confirm an address; for this purpose only (platform/secrets.ts). */
  confirmationKey: Buffer
  attempts: AccountsService['attempts']
  strangerEmailLimits: AccountsService['strangerEmailLimits']
  asked: AskedAddresses
  /** Where somebody unsubscribes from an account's alerts, or blocks requests to send them. */
  unsubscribePage: (userId: string, address: string) => string
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  onChanged: (userId: string) => Promise<void>
}

const dayMs = 24 * 3600_000
const linkMs = 7 * dayMs
const waitingAddress = emailConfirmationClaim.extend({ expiresAt: z.iso.datetime() })
type WaitingAddress = z.infer<typeof waitingAddress>
/** A link's content: whose messages would go to an address, and until when its owner may agree. */
const claim = waitingAddress.extend({ userId: z.string() })

/** Where alert emails go. Any address besides the account's own has to be confirmed by its reader. */
export function createEmailDestination(deps: EmailDestinationDeps) {
  const { db, store, mailer, hasMail, confirmationKey, attempts, strangerEmailLimits, asked, unsubscribePage, baseUrl, clock, onChanged } =
    deps
  const tokens = createSignedTokens([confirmationKey], claim)
  const atRest = { waiting: null, waitingShown: null, problem: null, problemSince: null }

  /** Returns to the account's own address, or stops waiting for another one. */
  async function settle(person: Person, address: string | null): Promise<void> {
    await store.change(person, 'email', async ({ held, set, trx }) => {
      await set({ destination: address, shown: address, ...atRest })
      if (address === null && held.destination !== null)
        await recordEvent(trx, person.id, { kind: 'destination-removed', details: { channel: 'email' } }, clock.now())
    })
    await onChanged(person.id)
  }

  /**
   * @throws Refusal 403 without a confirmed address of one's own, 409 without a mail server, or for somebody who wants no more of them, 429
   * after too many emails
   */
  async function ask(person: Person, address: string, caller: string): Promise<void> {
    if (!hasMail) throw new Refusal(409, noMailText, 'address')
    if (await hasRefused(db, person.id, address)) throw unsubscribed(address)
    await asked.mustNotHaveRefused(db, person.id, address, clock.now())
    await attempts.count('destination', { account: person.id, address: caller })
    // The limit shared by all networks is counted last, so that only emails that are sent use it up.
    const asking = { about: 'alerts', email: address, from: caller } as const
    const { isLeft, until } = await strangerEmailLimits.take(asking)
    if (!isLeft) throw unanswered(address, until, clock.now())
    await attempts.count('destinationReached', { account: address, address: caller }).catch(async (refusal: unknown) => {
      await strangerEmailLimits.giveBack(asking)
      throw refusal
    })
    // Nothing is sent, so refund the limits that count only emails.
    const unsent = async (refusal: unknown): Promise<never> => {
      await strangerEmailLimits.giveBack(asking)
      await attempts.unused('destinationReached', { account: address, address: caller })
      throw refusal
    }
    const waiting: WaitingAddress = { address, expiresAt: new Date(clock.now().getTime() + linkMs).toISOString() }
    const sent = store.change(person, 'email', async ({ set, trx }) => {
      if (await hasRefused(trx, person.id, address)) throw unsubscribed(address)
      await strangerEmailLimits.admitAsks(trx, person, 1, caller, 'address')
      await set({ waiting: JSON.stringify(waiting), waitingShown: address })
      const link = `${baseUrl()}/confirm-delivery?token=${tokens.make({ userId: person.id, ...waiting })}`
      const never = unsubscribePage(person.id, address)
      const confirmation = { kind: 'confirm-delivery-address', to: address, username: person.username, link, never } as const
      await mailer.send(confirmation, { transaction: trx, admitted: true })
    })
    await sent.catch(unsent)
  }

  return {
    /** @param caller the requester's network address */
    async set(person: Person, typed: string | null, caller: string): Promise<void> {
      const address = typed?.toLowerCase() ?? person.email
      if (address === person.email) return settle(person, null)
      const { destination } = await store.load(person.id, 'email')
      return address === destination ? settle(person, address) : ask(person, address, caller)
    },

    /**
     * Handles a click on the email's link by that address's reader.
     * @throws Refusal 400 for a link that isn't ours, is too old, or is about an address no longer requested
     */
    async confirm(token: string): Promise<string> {
      const claimed = tokens.read(token)
      if (!claimed) throw new Refusal(400, 'This link is incomplete. Open it again from the email.', 'token')
      const { userId, address } = claimed
      if (Date.parse(claimed.expiresAt) <= clock.now().getTime())
        throw new Refusal(400, 'This link has expired. Enter the address again in Alert Settings to get a new one.', 'token')
      const isNew = await store.change({ id: userId }, 'email', async ({ held, set, trx }) => {
        if (held.destination === address) return false
        if (addressIn(held.waiting)?.address !== address)
          throw new Refusal(400, "Another address was chosen after this email was sent, so notifications won't be sent here.", 'token')
        await set({ destination: address, shown: address, ...atRest })
        const agreed = { kind: 'destination-set', details: { channel: 'email', to: address } } as const
        await asReader(() => recordEvent(trx, userId, agreed, clock.now()))
        await forgetEmailCounts(trx, 'alerts', address)
        return true
      })
      if (isNew) await onChanged(userId)
      return address
    },

    /**
     * An address's reader wants no more alert emails of this account: removes the address, which is neither emailed nor asked again. For
     * the account's own address the switch is enough.
     */
    async leave(person: Person, typed: string): Promise<void> {
      const address = typed.toLowerCase()
      if (person.emailVerified && address === person.email.toLowerCase()) return
      await store.change(person, 'email', async ({ held, set, trx }) => {
        const refusal = { userId: person.id, address, at: clock.now() }
        const known = trx.insertInto('alertMailRefusals').values(refusal)
        await known.onConflict((oc) => oc.doNothing()).execute()
        if (addressIn(held.waiting)?.address === address) await set({ waiting: null, waitingShown: null })
        if (held.destination?.toLowerCase() !== address) return
        await set({ destination: null, shown: null, problem: null, problemSince: null })
        const removed = { kind: 'destination-removed', details: { channel: 'email' } } as const
        await asReader(() => recordEvent(trx, person.id, removed, clock.now()))
      })
    },

    /** An account is being deleted: people who refused its alerts aren't asked by the next one either. */
    async accountDeleting({ userId, transaction }: { userId: string; transaction: Db }): Promise<void> {
      const refusals = await transaction.selectFrom('alertMailRefusals').where('userId', '=', userId).select('address').execute()
      const addresses = refusals.map(({ address }) => address)
      if (addresses.length > 0) await asked.refused(transaction, addresses, clock.now())
    },

    /** The same for the reader of an email whose account was deleted already. */
    refuseNext: (address: string): Promise<void> => asked.refused(db, [address], clock.now()),

    /** Whether an address has been asked for its consent, and may be again, by the next account if this one was deleted. */
    async mayBeAsked(userId: string | null, address: string): Promise<boolean> {
      if (userId === null) return !(await asked.isRefused(db, address, clock.now()))
      return addressIn((await store.load(userId, 'email')).waiting)?.address === address.toLowerCase()
    },

    /** Where emails go while the channel is on. */
    async addressOf({ id, email }: Pick<Person, 'id' | 'email'>): Promise<string> {
      return (await store.load(id, 'email')).destination ?? email
    },
  }
}

const unsubscribed = (address: string) =>
  new Refusal(409, `${address} has unsubscribed from your account's alert emails. Enter another address.`, 'address')

/** The limit covers a network, which several accounts may share. */
function unanswered(address: string, until: Date, now: Date): Refusal {
  const days = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / dayMs))
  const again = days === 1 ? 'tomorrow' : `in ${days} days`
  return new Refusal(429, `${address} hasn't responded to our earlier emails. Enter another address, or try again ${again}.`, 'address')
}

const hasRefused = async (trx: Db, userId: string, address: string): Promise<boolean> => {
  const refusals = await trx.selectFrom('alertMailRefusals').where('userId', '=', userId).select('address').execute()
  return refusals.some((refusal) => mailboxOf(refusal.address) === mailboxOf(address))
}

const addressIn = (waiting: string | null): WaitingAddress | null => (waiting === null ? null : waitingAddress.parse(JSON.parse(waiting)))
