import type { PlanId, User } from '../../contract/user.ts'

export const planNames: Record<PlanId, string> = { free: 'Free', pro: 'Pro', agency: 'Agency' }

/** Why some of somebody's sites are paused. */
export function pausedWords({ plan, siteLimit, sitesPaused }: Pick<User, 'plan' | 'siteLimit' | 'sitesPaused'>): string {
  const sites = siteLimit === 1 ? '1 site' : `${siteLimit} sites`
  const covered = plan === null ? `This installation allows ${sites} per person` : `Your ${planNames[plan]} plan includes ${sites}`
  return `${covered}; ${sitesPaused} ${sitesPaused === 1 ? 'is' : 'are'} paused.`
}
