import { gainOf } from './figures.ts'
import type { AlertMetric } from './rule.ts'

/** From most urgent to merely informational. */
export const severities = ['critical', 'warning', 'info', 'positive'] as const
export type Severity = (typeof severities)[number]

export const moreSevere = (a: Severity, b: Severity): Severity => (severities.indexOf(a) < severities.indexOf(b) ? a : b)

/** In percent (SPEC §4). */
const critical = 30
const warning = 15

/**
 * How serious a change is: improvements are positive, falls of over 30% critical, of 15% to 30% warnings, and smaller ones informational.
 * For positions, a loss of twice the threshold is critical and any other a warning (OPEN-POINTS 19).
 */
export function severityOf(metric: AlertMetric, change: number, threshold: number): Severity {
  const loss = -gainOf(metric, change)
  if (loss < 0) return 'positive'
  if (metric === 'position') return loss >= 2 * threshold ? 'critical' : 'warning'
  if (loss > critical) return 'critical'
  return loss >= warning ? 'warning' : 'info'
}
