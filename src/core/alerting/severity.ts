import { gainOf } from './figures.ts'
import type { AlertMetric } from './rule.ts'

/** From what asks for somebody now to what is good to know. */
export const severities = ['critical', 'warning', 'info', 'positive'] as const
export type Severity = (typeof severities)[number]

export const moreSevere = (a: Severity, b: Severity): Severity => (severities.indexOf(a) < severities.indexOf(b) ? a : b)

/** Per cent (SPEC §4). */
const critical = 30
const warning = 15

/**
 * How serious a change is: improvements are positive; over 30 % critical, 15 to 30 % a warning, less is for
 * information. Of positions a loss of twice the threshold is critical, any other a warning (OPEN-POINTS 19).
 */
export function severityOf(metric: AlertMetric, change: number, threshold: number): Severity {
  const loss = -gainOf(metric, change)
  if (loss < 0) return 'positive'
  if (metric === 'position') return loss >= 2 * threshold ? 'critical' : 'warning'
  if (loss > critical) return 'critical'
  return loss >= warning ? 'warning' : 'info'
}
