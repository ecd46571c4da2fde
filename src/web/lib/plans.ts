import type { PlanId, User } from '../../contract/user.ts'

export const planNames: Record<PlanId, string> = { free: 'Free', pro: 'Pro', agency: 'Agency' }

/** Why some of somebody's sites rest. */
export function pausedWords({ plan, siteLimit, sitesPaused }: Pick<User, 'plan' | 'siteLimit' | 'sitesPaused'>): string {
  const covered =
    plan === null
      ? `This installation covers ${siteLimit} site(s) for each person`
      : `Your ${planNames[plan]} plan covers ${siteLimit} site(s)`
  return `${covered}; ${sitesPaused} ${sitesPaused === 1 ? 'is' : 'are'} paused.`
}
