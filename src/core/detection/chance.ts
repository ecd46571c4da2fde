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

/** A count with an uncertain mean: variance = mean + overdispersion · mean² (negative binomial); overdispersion > 0. */
export type Count = { mean: number; overdispersion: number }

/** Larger counts are scaled down: logarithms of gamma functions lack the digits for single ones. */
const mostExact = 1e9

/** Probability of `count` or fewer. Takes the same time for any count, since an import may claim any. */
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

/** Maximum number of terms of the fraction below; within the counts above, a few hundred are enough. */
const mostTerms = 1000

/** The regularized incomplete beta function I_x(a, b): its continued fraction (DLMF 8.17.22), by the method of Lentz. */
export function incompleteBeta(x: number, a: number, b: number): number {
  // Beyond the mean, the fraction of the complement converges faster. At the mean itself, rounding may place both beyond it.
  return x > (a + 1) / (a + b + 2) ? 1 - betaFraction(1 - x, b, a) : betaFraction(x, a, b)
}

function betaFraction(x: number, a: number, b: number): number {
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

/** How far two values must differ, in standard deviations of their difference, to be more than chance. */
const deviations = 2.8

/**
 * Whether a change is larger than counting noise. Twice the square root of a count has variance 1 for any mean
 * (F. J. Anscombe, Biometrika 35, 1948), and twice the arcsine of the square root of a share has variance 1/n.
 */
export const isMoreThanChance = {
  /** @param scale factor on the earlier count, if it covers more days */
  ofCounts(before: number, now: number, scale = 1): boolean {
    const root = (count: number): number => 2 * Math.sqrt(count + 3 / 8)
    return Math.abs(root(now) - root(before * scale)) > deviations * Math.sqrt(1 + scale)
  },
  /** @param before how many out of how many; 0 out of 0 never differs */
  ofShares([hitsBefore, ofBefore]: readonly [number, number], [hits, of]: readonly [number, number]): boolean {
    const angle = (some: number, all: number): number => 2 * Math.asin(Math.sqrt(Math.min(1, (some + 3 / 8) / (all + 3 / 4))))
    return ofBefore > 0 && of > 0 && Math.abs(angle(hits, of) - angle(hitsBefore, ofBefore)) > deviations * Math.sqrt(1 / ofBefore + 1 / of)
  },
}
