import type { PlanId } from '../../contract/user.ts'

export const planNames: Record<PlanId, string> = { free: 'Free', pro: 'Pro', agency: 'Agency' }
