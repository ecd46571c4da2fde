import { type CtrCurve, ctrAt } from '../../src/core/analytics/ctr-curve.ts'

/** Clicks and impressions of one query in a period, and its mean position; null if unknown. */
export type RankedFigures = { clicks: number; impressions: number; position: number | null }

/** The parts of a change in clicks, in clicks; they add up to it (facts/questions/change-parts.ts). */
export type NamedParts = { demand: number; position: number; ctr: number; shown: number }

/** Splits one query's change: what the store's SQL does for all of them, and is compared with. */
export function namedParts(before: RankedFigures, now: RankedFigures, curve: CtrCurve): NamedParts {
  if (before.impressions === 0 || now.impressions === 0) return { demand: 0, position: 0, ctr: 0, shown: now.clicks - before.clicks }
  const isRanked = before.position !== null && now.position !== null
  const usual = ({ position }: RankedFigures) => (isRanked && position !== null ? ctrAt(curve, position) : 1)
  const [f0, f1] = [usual(before), usual(now)]
  const [i0, i1] = [before.impressions, now.impressions]
  const [q0, q1] = [before.clicks / i0 / f0, now.clicks / i1 / f1]
  const effect = (a: number, b: number, c: number, d: number) => (a + b) / 3 + (c + d) / 6
  return {
    demand: (i1 - i0) * effect(f0 * q0, f1 * q1, f0 * q1, f1 * q0),
    position: (f1 - f0) * effect(i0 * q0, i1 * q1, i0 * q1, i1 * q0),
    ctr: (q1 - q0) * effect(i0 * f0, i1 * f1, i0 * f1, i1 * f0),
    shown: 0,
  }
}
