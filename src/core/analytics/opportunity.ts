import { type CtrCurve, ctrAt } from './ctr-curve.ts'

/** The position a keyword would have to reach; keywords already there have nothing to gain (OPEN-POINTS 18). */
export const targetPosition = 3

/** A keyword in a period: `days` counts the period's days with figures, at least 1; `position` is 0 if unknown. */
export type KeywordInPeriod = { impressions: number; position: number; days: number }

/**
 * Estimated extra clicks a week if the keyword rose to position 3: its weekly impressions × the property's own CTR there minus that at its
 * current position.
 */
export function opportunityScore({ impressions, position, days }: KeywordInPeriod, curve: CtrCurve): number {
  if (position <= targetPosition) return 0
  const gain = ctrAt(curve, targetPosition) - ctrAt(curve, position)
  return (impressions / days) * 7 * gain
}
