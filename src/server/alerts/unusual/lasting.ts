import { directionOf } from '../../../core/alerting/figures.ts'
import type { AlertMetric } from '../../../core/alerting/rule.ts'
import type { LastingUnusual } from '../../../core/alerting/unusual/verdict.ts'
import type { OpenRow } from '../open-rows.ts'

/** An open alert of a smart rule, by the name of its entity. */
export function lastingOf(metric: AlertMetric, { entityName, opening, figures, severity }: OpenRow): [string, LastingUnusual][] {
  const direction = figures === null ? 0 : directionOf(metric, figures.change)
  return direction === 0 ? [] : [[entityName, { direction: direction < 0 ? 'fall' : 'rise', severity, opening }]]
}
