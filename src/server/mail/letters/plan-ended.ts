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
        preview: count === 0 ? 'The account is on the Free plan now.' : `${paused}. Nothing is deleted.`,
        headline,
        reason: 'You get this mail because the plan of your Ranklark account changed.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' is on the Free plan now, and nothing more is charged.'),
      ...(count === 0
        ? [action('See your plan', `${baseUrl}/settings`)]
        : [
            paragraph(`The Free plan covers ${plans.free.siteLimit === 1 ? '1 site' : `${plans.free.siteLimit} sites`}, so ${paused}:`),
            list(pausedSites.map((site) => site.replace(/^sc-domain:/, ''))),
            action('Choose what stays', `${baseUrl}/onboarding/sites`),
          ]),
      remark('Nothing is deleted: all data stays, and paused sites go on as soon as a plan covers them again.'),
    ),
  }
}
