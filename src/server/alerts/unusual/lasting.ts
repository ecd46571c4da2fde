import { directionOf } from '../../../core/alerting/figures.ts'
import type { AlertMetric } from '../../../core/alerting/rule.ts'
import type { EndedUnusual } from '../../../core/alerting/unusual/evening.ts'
import type { LastingUnusual } from '../../../core/alerting/unusual/verdict.ts'
import type { OpenRow } from '../open-rows.ts'

/** An open alert of a smart rule, by the name of its entity. */
export function lastingOf(metric: AlertMetric, row: OpenRow): [string, LastingUnusual][] {
  const { entityName, opening, figures, severity, basis, judgedThrough } = row
  const direction = figures === null ? 0 : directionOf(metric, figures.change)
  // Hours decide themselves whether what they found is over.
  const openedWith = basis === 'hours' ? null : opening
  if (direction === 0) return []
  const last = judgedThrough === null ? {} : { last: judgedThrough }
  return [[entityName, { direction: direction < 0 ? 'fall' : 'rise', severity, opening: openedWith, ...last }]]
}

/**
 * Whether an alert's own change is over: the site is back, has settled, or there was no change. Such an alert lasts only for its parts. A
 * changed rule may find the same change again.
 */
export const isOwnOver = ({ ownEnd }: Pick<OpenRow, 'ownEnd'>): boolean => ownEnd !== null && ownEnd !== 'rule_changed'

type EndedRow = Pick<OpenRow, 'opening' | 'judgedThrough' | 'ownEnd' | 'figures'>

/** What it says of later findings: nothing if there was no change. */
export function endedOf({ opening, judgedThrough: end, ownEnd, figures }: EndedRow): EndedUnusual[] {
  const level = ownEnd === 'new_level' ? figures?.settled : undefined
  return opening && ownEnd !== 'revised' ? [{ opening, end, ...(level && { level }) }] : []
}
