/** What a CTR or position is made of: clicks of impressions, or the sum of positions of the impressions with a known one. */
export type Fraction = { sum: number; of: number }

/** How much one part contributes to the change of a whole: by its own change, and by that of its share. */
export type RateParts = { rate: number; mix: number }

export type Compared<T> = { before: T; now: T }

/** A part's share of the whole's impressions. */
export const shareOf = (part: Fraction, whole: Fraction): number => (whole.of === 0 ? 0 : part.of / whole.of)

/** Null without impressions. */
export const rateOf = ({ sum, of }: Fraction): number | null => (of === 0 ? null : sum / of)

/**
 * Splits what one part contributes to the change of a mean. A whole's CTR is the mean of its parts', weighted by their shares of the
 * impressions; both changes are taken at the mean of before and now, so that the order doesn't matter, and shares are compared with the mean CTR of
 * the whole, so that more impressions only count if they are better or worse than the rest. Over all parts both add up to the whole's
 * change. A part that is missing in one period has no change of its own. The facts store does the same in SQL (facts/questions/change-parts.ts).
 */
export function ratePartsOf(part: Compared<Fraction>, whole: Compared<Fraction>): RateParts {
  const [s0, s1] = [shareOf(part.before, whole.before), shareOf(part.now, whole.now)]
  const [r0, r1] = [rateOf(part.before) ?? rateOf(part.now) ?? 0, rateOf(part.now) ?? rateOf(part.before) ?? 0]
  const usual = ((rateOf(whole.before) ?? 0) + (rateOf(whole.now) ?? 0)) / 2
  return { rate: ((s0 + s1) / 2) * (r1 - r0), mix: (s1 - s0) * ((r0 + r1) / 2 - usual) }
}

/** What is left of a whole without these parts. */
export const restOf = (whole: Compared<Fraction>, parts: Compared<Fraction>): Compared<Fraction> => ({
  before: { sum: whole.before.sum - parts.before.sum, of: whole.before.of - parts.before.of },
  now: { sum: whole.now.sum - parts.now.sum, of: whole.now.of - parts.now.of },
})
