/** Lanczos' approximation of the gamma function, to fifteen digits (g = 7, nine terms). */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const

/** Natural logarithm of Γ(x), x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  const sum = lanczos.reduce((all, term, i) => (i === 0 ? term : all + term / (shifted + i)), 0)
  const t = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum)
}

/** A count whose mean is not quite known: variance = mean + overdispersion · mean² (negative binomial); overdispersion > 0. */
export type Count = { mean: number; overdispersion: number }

/** Beyond so many, counts are told in larger units: logarithms of gamma functions have no digits left for single ones. */
const mostExact = 1e9

/** Probability of `count` or fewer. Takes the same time whatever the count: an import may claim any. */
export function lowerTail(count: number, { mean, overdispersion }: Count): number {
  const unit = Math.max(1, count / mostExact, mean / mostExact)
  return incompleteBeta(1 / (1 + (overdispersion * mean) / unit), 1 / overdispersion, count / unit + 1)
}

/** Probability of `count` or more. */
export function upperTail(count: number, { mean, overdispersion }: Count): number {
  if (count <= 0) return 1
  const unit = Math.max(1, count / mostExact, mean / mostExact)
  const odds = (overdispersion * mean) / unit
  return incompleteBeta(odds / (1 + odds), count / unit, 1 / overdispersion)
}

/** Terms of the fraction below at most; within the counts above, a few hundred settle it. */
const mostTerms = 1000

/** The regularized incomplete beta function I_x(a, b): its continued fraction (DLMF 8.17.22), by the method of Lentz. */
function incompleteBeta(x: number, a: number, b: number): number {
  // On the other side of the mean the fraction of the complement converges sooner.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1))]
  let fraction = d
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    fraction *= c * d
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    fraction *= c * d
    if (Math.abs(c * d - 1) < 1e-12) break
  }
  return Math.min(1, front * fraction)
}

/** What two figures have to differ by, in standard deviations of their difference, for it to be more than counting. */
const deviations = 2.8

/**
 * Whether a change is more than counts of that size vary by themselves. Twice the root of a count varies by 1 wherever it lies
 * (F. J. Anscombe, Biometrika 35, 1948), twice the arcsine of the root of a share by 1/n.
 */
export const isMoreThanChance = {
  /** @param scale what the count before is multiplied with, where it is one of more days */
  ofCounts(before: number, now: number, scale = 1): boolean {
    const root = (count: number): number => 2 * Math.sqrt(count + 3 / 8)
    return Math.abs(root(now) - root(before * scale)) > deviations * Math.sqrt(1 + scale)
  },
  /** @param before how many of how many; none of none differs from nothing */
  ofShares([hitsBefore, ofBefore]: readonly [number, number], [hits, of]: readonly [number, number]): boolean {
    const angle = (some: number, all: number): number => 2 * Math.asin(Math.sqrt(Math.min(1, (some + 3 / 8) / (all + 3 / 4))))
    return ofBefore > 0 && of > 0 && Math.abs(angle(hits, of) - angle(hitsBefore, ofBefore)) > deviations * Math.sqrt(1 / ofBefore + 1 / of)
  },
}
