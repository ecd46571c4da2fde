import { z } from 'zod'
import { planId } from '../../contract/user.ts'
import { mailAddress } from './address.ts'

/** The recipient; `username` names the account the email is about, since several may claim one address. */
const about = { to: mailAddress, username: z.string() }
/** The same to an address that may be a stranger's: without a name that may mislead them (mailer.ts). */
const aboutSomebody = { ...about, username: z.string().nullable() }
const link = z.url({ protocol: /^https?$/ })
const moment = z.iso.datetime()
const support = {
  subject: z.string(),
  message: z.string(),
  diagnostics: z.array(z.object({ label: z.string(), value: z.string() })),
  /** How soon to expect an answer: `within 2 business days`. */
  answered: z.string().nullable(),
}

/** Every email we send to people, with its content. */
export const email = z.discriminatedUnion('kind', [
  /** The link is valid for 24 hours. */
  z.object({ kind: z.literal('confirm-address'), ...aboutSomebody, link }),
  /** To an address meant to get `username`'s alerts; the link is valid for 7 days. */
  z.object({ kind: z.literal('confirm-delivery-address'), ...aboutSomebody, link, never: link.optional() }),
  /** To somebody `username` wants to send reports to; the link is valid for 7 days. `never`: the link that ends all of them. */
  z.object({ kind: z.literal('confirm-report-recipient'), ...aboutSomebody, link, never: link }),
  /** Somebody entered an address that belongs to `username` already. */
  z.object({ kind: z.literal('address-taken'), ...about }),
  /**
   * The link is valid for 1 hour. While the address is unconfirmed, setting a password clears the account of what others may have set up.
   * `others`: further accounts that claim it, and their links.
   */
  z.object({
    kind: z.literal('reset-password'),
    ...aboutSomebody,
    link,
    others: z.array(z.object({ username: z.string().nullable(), link })).default([]),
    isConfirmed: z.boolean().default(true),
  }),
  z.object({ kind: z.literal('password-changed'), ...about }),
  /** To the address in force until the new one is confirmed; the link undoes the change, for 7 days. Null: another address has one. */
  z.object({ kind: z.literal('address-changed'), ...about, newAddress: z.string(), link: link.nullable().default(null) }),
  /** To the address that was displaced because the link in `address-changed` was used. */
  z.object({ kind: z.literal('address-restored'), ...about, restored: z.string() }),
  z.object({ kind: z.literal('two-factor-changed'), ...about, enabled: z.boolean(), link: link.nullable().default(null) }),
  z.object({ kind: z.literal('recovery-codes-changed'), ...about }),
  /** `username` is the new one. */
  z.object({ kind: z.literal('username-changed'), ...about, former: z.string() }),
  /** `account`: the Google account that can now log in. */
  z.object({ kind: z.literal('google-linked'), ...about, account: z.string().nullable().default(null) }),
  z.object({ kind: z.literal('google-unlinked'), ...about }),
  z.object({ kind: z.literal('account-deleted'), ...about, plan: planId.nullable().default(null) }),
  /** The new plan, and when it is charged next; `isGranted`: never, since the operator gave it to them. */
  z.object({
    kind: z.literal('plan-changed'),
    ...about,
    plan: planId,
    nextChargeAt: moment.nullable(),
    isGranted: z.boolean().default(false),
  }),
  /** A renewal was declined; `nextAttemptAt`: when the card is charged again, null if never. */
  z.object({ kind: z.literal('payment-failed'), ...about, plan: planId, nextAttemptAt: moment.nullable() }),
  /** The paid plan that ended, and the sites paused as a result. */
  z.object({ kind: z.literal('plan-ended'), ...about, plan: planId, pausedSites: z.array(z.string()) }),
  /** To support: what a person wrote, and what they let us include about their account. */
  /** `confirmed`: whether anybody has proven that the address is the account's. */
  z.object({ kind: z.literal('support-request'), ...about, ...support, replyTo: mailAddress, confirmed: z.boolean().default(false) }),
  /** To the person: a copy of what they wrote. */
  z.object({ kind: z.literal('support-received'), ...about, ...support }),
])
export type Email = z.infer<typeof email>
export type EmailOf<K extends Email['kind']> = Extract<Email, { kind: K }>

export type Handling = {
  /**
   * `anybody`: its reader may never have agreed to hear from us, so it needs an answer from accounts/stranger-email-limits.ts. `its
   * account`: it goes to the account's address once that is confirmed (mailer.ts), as before it may be a stranger's.
   */
  to: 'anybody' | 'its account' | 'the operator'
  /** Somebody sits waiting for it, perhaps locked out: it doesn't wait behind other emails. */
  awaited?: true
}

/** Every kind has its place here, so that a new one can't be sent to strangers unnoticed. */
export const handling = {
  'confirm-address': { to: 'anybody', awaited: true },
  'confirm-delivery-address': { to: 'anybody' },
  'confirm-report-recipient': { to: 'anybody' },
  'address-taken': { to: 'anybody', awaited: true },
  'reset-password': { to: 'anybody', awaited: true },
  'password-changed': { to: 'its account' },
  'address-changed': { to: 'its account', awaited: true },
  'address-restored': { to: 'its account' },
  'two-factor-changed': { to: 'its account' },
  'recovery-codes-changed': { to: 'its account' },
  'username-changed': { to: 'its account' },
  'google-linked': { to: 'its account' },
  'google-unlinked': { to: 'its account' },
  'account-deleted': { to: 'its account' },
  'plan-changed': { to: 'its account' },
  'payment-failed': { to: 'its account' },
  'plan-ended': { to: 'its account' },
  'support-request': { to: 'the operator' },
  'support-received': { to: 'its account' },
} as const satisfies Record<Email['kind'], Handling>

type KindTo<To> = { [K in Email['kind']]: (typeof handling)[K]['to'] extends To ? K : never }[Email['kind']]
export type EmailToAnybody = EmailOf<KindTo<'anybody'>>
export type EmailToOperator = EmailOf<KindTo<'the operator'>>
type WithoutAddress<L> = L extends { to: string } ? Omit<L, 'to'> : never
/** Whoever sends it says whose account it is about, not which address it goes to. */
export type EmailToItsAccount = WithoutAddress<z.input<typeof email> & { kind: KindTo<'its account'> }>

/** An email waiting in the queue. */
export const waitingEmail = z.object({
  letter: email,
  /** This installation's URL, without a trailing slash. */
  baseUrl: z.string(),
  writtenAt: moment,
  /** Not to be sent; it waits like any other, so that its sender can't tell. */
  withheld: z.boolean().default(false),
})
export type WaitingEmail = z.infer<typeof waitingEmail>
