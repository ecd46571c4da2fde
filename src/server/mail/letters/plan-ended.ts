import { propertyName } from '../../../core/accounts/property-name.ts'
import { plans } from '../../../core/billing/plans.ts'
import { action, type Draft, layout, list, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function planEnded({ username, plan, pausedSites }: LetterOf<'plan-ended'>, baseUrl: string): Draft {
  const headline = `Your ${plans[plan].name} plan has ended`
  const count = pausedSites.length
  const paused = count === 1 ? '1 site is paused' : `${count} sites are paused`
  return {
    subject: headline,
    mail: layout(
      {
        preview: count === 0 ? 'Your account is now on the Free plan.' : `${paused}. Nothing has been deleted.`,
        headline,
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
    ),
  }
}
