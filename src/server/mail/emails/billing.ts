import { propertyName } from '../../../core/accounts/property-name.ts'
import { plans } from '../../../core/billing/plans.ts'
import { dayOf, priceOf } from '../figures.ts'
import { action, draft, type Draft, facts, list, paragraph, remark, strong } from '../layout.ts'
import type { EmailOf } from '../email.ts'

export function planChanged({ username, plan, nextChargeAt, isGranted }: EmailOf<'plan-changed'>, baseUrl: string): Draft {
  const { name } = plans[plan]
  const price = isGranted ? 'Free of charge: your administrator gave you this plan' : priceOf(plan)
  return draft(
    {
      subject: `You're on the ${name} plan`,
      preview: `${price}${nextChargeAt === null ? '' : `, next charge on ${dayOf(nextChargeAt)}`}.`,
      reason: "You're receiving this email because your Ranklark account's plan changed.",
      baseUrl,
    },
    paragraph('The Ranklark account ', strong(username), ` is now on the ${name} plan.`),
    facts([['Plan', name], ['Price', price], ...(nextChargeAt === null ? [] : [['Next charge', dayOf(nextChargeAt)] as const])]),
    action('See your plan', `${baseUrl}/settings`),
  )
}

export function paymentFailed({ username, plan, nextAttemptAt }: EmailOf<'payment-failed'>, baseUrl: string): Draft {
  const { name } = plans[plan]
  return draft(
    {
      subject: `Payment for your ${name} plan failed`,
      preview: nextAttemptAt === null ? 'Check your card.' : `We'll try again on ${dayOf(nextAttemptAt)}.`,
      reason: "You're receiving this email because your Ranklark account has a paid plan.",
      baseUrl,
    },
    paragraph(
      "We couldn't charge your card to renew the ",
      strong(`${name} plan`),
      ` (${priceOf(plan)}) for the account `,
      strong(username),
      '.',
    ),
    paragraph(
      nextAttemptAt === null
        ? 'Check your card or add another one.'
        : `We'll try again on ${dayOf(nextAttemptAt)}. Until then, your plan stays active. Check your card or add another one.`,
    ),
    action('Check your card', `${baseUrl}/settings`),
    remark('If payment keeps failing, the account will move to the Free plan. Nothing will be deleted.'),
  )
}

export function planEnded({ username, plan, pausedSites }: EmailOf<'plan-ended'>, baseUrl: string): Draft {
  const count = pausedSites.length
  const paused = count === 1 ? '1 site is paused' : `${count} sites are paused`
  return draft(
    {
      subject: `Your ${plans[plan].name} plan has ended`,
      preview: count === 0 ? 'Your account is now on the Free plan.' : `${paused}. Nothing has been deleted.`,
      reason: "You're receiving this email because your Ranklark account's plan changed.",
      baseUrl,
    },
    paragraph('The Ranklark account ', strong(username), " is now on the Free plan and won't be charged again."),
    ...(count === 0
      ? [action('See your plan', `${baseUrl}/settings`)]
      : [
          paragraph(`The Free plan covers ${plans.free.siteLimit === 1 ? '1 site' : `${plans.free.siteLimit} sites`}, so ${paused}:`),
          list(pausedSites.map(propertyName)),
          action('Choose which sites to keep', `${baseUrl}/onboarding/sites`),
        ]),
    remark('Nothing has been deleted. Paused sites resume when you upgrade.'),
  )
}
