import { plans } from '../../../core/billing/plans.ts'
import { dayOf, priceOf } from '../figures.ts'
import { action, type Draft, facts, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function planChanged({ username, plan, nextChargeAt }: LetterOf<'plan-changed'>, baseUrl: string): Draft {
  const { name } = plans[plan]
  const headline = `You are on the ${name} plan`
  return {
    subject: headline,
    mail: layout(
      {
        preview: `${priceOf(plan)}${nextChargeAt === null ? '' : `, next charged on ${dayOf(nextChargeAt)}`}.`,
        headline,
        reason: 'You get this mail because the plan of your Ranklark account changed.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ` is on the ${name} plan from now on.`),
      facts([['Plan', name], ['Price', priceOf(plan)], ...(nextChargeAt === null ? [] : [['Next charge', dayOf(nextChargeAt)] as const])]),
      action('See your plan', `${baseUrl}/settings`),
    ),
  }
}
