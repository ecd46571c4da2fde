import { z } from 'zod'
import { planId } from '../../contract/user.ts'
import { mailAddress } from './address.ts'

/** To whom; `username` names the account the letter is about, since one address may be claimed by several. */
const about = { to: mailAddress, username: z.string() }
const link = z.url({ protocol: /^https?$/ })
const moment = z.iso.datetime()
const support = {
  subject: z.string(),
  message: z.string(),
  diagnostics: z.array(z.object({ label: z.string(), value: z.string() })),
  /** How soon they have an answer: `within 2 working days`. */
  answered: z.string().nullable(),
}

/** Everything we write to people, with what each letter says. */
export const letter = z.discriminatedUnion('kind', [
  /** The link is good for 24 hours. */
  z.object({ kind: z.literal('confirm-address'), ...about, link }),
  /** To an address that alerts of `username` are to go to; the link is good for 7 days. */
  z.object({ kind: z.literal('confirm-delivery-address'), ...about, link }),
  /** To somebody whom `username` wants to send reports; the link is good for 7 days. `never`: where all of them are ended. */
  z.object({ kind: z.literal('confirm-report-recipient'), ...about, link, never: link }),
  /** Somebody (`claimedBy`) gave an address that belongs to `username` already. */
  z.object({ kind: z.literal('address-taken'), ...about, claimedBy: z.string() }),
  /** The link is good for 1 hour. Until the address is confirmed, setting a password empties the account of what others may have set up. */
  z.object({ kind: z.literal('reset-password'), ...about, link, isConfirmed: z.boolean().default(true) }),
  z.object({ kind: z.literal('password-changed'), ...about }),
  /** To the address that is in force until the new one is confirmed; the link undoes the change, for 7 days. */
  z.object({ kind: z.literal('address-changed'), ...about, newAddress: z.string(), link: link.nullable().default(null) }),
  z.object({ kind: z.literal('two-factor-changed'), ...about, enabled: z.boolean() }),
  /** `account`: the Google account that logs in from now on. */
  z.object({ kind: z.literal('google-linked'), ...about, account: z.string().nullable().default(null) }),
  z.object({ kind: z.literal('account-deleted'), ...about, plan: planId.nullable().default(null) }),
  /** The plan in force from now on, and when it is charged next. */
  z.object({ kind: z.literal('plan-changed'), ...about, plan: planId, nextChargeAt: moment.nullable() }),
  /** A renewal was declined; `nextAttemptAt`: when the card is tried again, null when it is not. */
  z.object({ kind: z.literal('payment-failed'), ...about, plan: planId, nextAttemptAt: moment.nullable() }),
  /** The paid plan that is over, and the sites that are paused with it. */
  z.object({ kind: z.literal('plan-ended'), ...about, plan: planId, pausedSites: z.array(z.string()) }),
  /** To whoever helps: what a person wrote, and what they let be told of their account. */
  /** `confirmed`: whether anybody has shown that the address is the account's. */
  z.object({ kind: z.literal('support-request'), ...about, ...support, replyTo: mailAddress, confirmed: z.boolean().default(false) }),
  /** To the person: what they wrote. */
  z.object({ kind: z.literal('support-received'), ...about, ...support }),
])
export type Letter = z.infer<typeof letter>
export type LetterOf<K extends Letter['kind']> = Extract<Letter, { kind: K }>

/** A letter as it waits in the queue. */
export const waitingLetter = z.object({
  letter,
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: z.string(),
  writtenAt: moment,
})
export type WaitingLetter = z.infer<typeof waitingLetter>
