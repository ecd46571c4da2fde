import { type CtrCurve, ctrAt } from './ctr-curve.ts'

/** Where a keyword would have to rise to; those that are there have nothing to gain (OPEN-POINTS 18). */
export const targetPosition = 3

/** A keyword in a period: `days` are those of the period that have figures, at least 1; `position` is 0 where none is known. */
export type KeywordInPeriod = { impressions: number; position: number; days: number }

/**
 * Estimated extra clicks a week if the keyword rose to position 3: its impressions a week × the difference of the
 * property's own CTR there and where it is now.
 */
export function opportunityScore({ impressions, position, days }: KeywordInPeriod, curve: CtrCurve): number {
  if (position <= targetPosition) return 0
  const gain = ctrAt(curve, targetPosition) - ctrAt(curve, position)
  return (impressions / days) * 7 * gain
}
