import { type CtrCurve, ctrAt, lastCurvePosition } from '../../../core/analytics/ctr-curve.ts'
import { targetPosition } from '../../../core/analytics/opportunity.ts'

/** Inputs of a score: the property's curve, and how many days of the period have figures. */
export type Scoring = { curve: CtrCurve; days: number }

/** The formula of `opportunityScore` in core, on the columns `impressions` and `position`; 0 if there is nothing to gain. */
export const scoreSql = `if(position <= ${targetPosition}, 0, greatest(0, impressions / {scoreDays:Float64} * 7 * ({targetCtr:Float64} - ${curveAt('position')})))`

export const scoreParams = ({ curve, days }: Scoring): Record<string, unknown> => ({
  scoreDays: days,
  targetCtr: ctrAt(curve, targetPosition),
  curve: [...curve],
})

/** `ctrAt` in core, on a column: linear between whole positions, constant from the last one on. The question binds `curve`. */
export function curveAt(position: string): string {
  const within = `least(greatest(${position}, 1), ${lastCurvePosition})`
  const above = `toUInt32(floor(${within}))`
  const here = `{curve:Array(Float64)}[${above}]`
  const below = `{curve:Array(Float64)}[least(${above} + 1, ${lastCurvePosition})]`
  return `(${here} + (${below} - ${here}) * (${within} - ${above}))`
}
