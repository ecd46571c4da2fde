import type { AlertMetric } from '../../../core/alerting/rule.ts'
import { directionOfChange, type LastingUnusual } from '../../../core/alerting/unusual/verdict.ts'
import type { OpenRow } from '../evaluation-store.ts'

/** An open alert of a smart rule, by the name of its entity. */
export function lastingOf(metric: AlertMetric, { entityName, opening, figures, severity }: OpenRow): [string, LastingUnusual][] {
  const change = figures?.change ?? null
  return change === null ? [] : [[entityName, { direction: directionOfChange(metric, change), severity, opening }]]
}
