import { z } from 'zod'
import { conditionType, newCondition } from './conditions.ts'
import { signedIn } from '../endpoint.ts'

/** A predefined rule (SPEC §3, OPEN-POINTS 11): a new rule takes its `condition` unchanged. */
export const alertTemplate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** `critical` or `warning`; others count as `info`. */
  priority: z.string(),
  level: z.enum(['site', 'page', 'query']),
  type: conditionType,
  condition: newCondition,
})
export type AlertTemplate = z.infer<typeof alertTemplate>

export const alertTemplates = z.array(alertTemplate)

export const alertTemplateEndpoints = {
  list: signedIn.get('/api/alert-templates', { answer: alertTemplates }),
}
