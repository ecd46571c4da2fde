import { plans } from '../../../core/billing/plans.ts'
import { dayOf, priceOf } from '../figures.ts'
import { action, type Draft, facts, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function planChanged({ username, plan, nextChargeAt }: LetterOf<'plan-changed'>, baseUrl: string): Draft {
  const { name } = plans[plan]
  const headline = `You're on the ${name} plan`
  return {
    subject: headline,
    mail: layout(
      {
        preview: `${priceOf(plan)}${nextChargeAt === null ? '' : `, next charge on ${dayOf(nextChargeAt)}`}.`,
        headline,
        reason: "You're receiving this email because your Ranklark account's plan changed.",
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ` is now on the ${name} plan.`),
      facts([['Plan', name], ['Price', priceOf(plan)], ...(nextChargeAt === null ? [] : [['Next charge', dayOf(nextChargeAt)] as const])]),
      action('See your plan', `${baseUrl}/settings`),
    ),
  }
}
