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

/** A count whose mean is not quite known: variance = mean + overdispersion · mean². */
export type Count = { mean: number; overdispersion: number }

/** Probability of exactly `count`, as a logarithm: negative binomial, or Poisson without overdispersion. */
function logProbability(count: number, { mean, overdispersion }: Count): number {
  if (overdispersion < 1e-9) return count * Math.log(mean) - mean - logGamma(count + 1)
  const size = 1 / overdispersion
  return (
    logGamma(count + size) -
    logGamma(size) -
    logGamma(count + 1) +
    size * Math.log(size / (size + mean)) +
    count * Math.log(mean / (size + mean))
  )
}

/** Probability of `count` or fewer. */
export function lowerTail(count: number, expected: Count): number {
  // From `count` down each term is a smaller part of the one before, once below the mean.
  let term = Math.exp(logProbability(count, expected))
  const { mean, overdispersion } = expected
  const odds = overdispersion < 1e-9 ? mean : (mean * overdispersion) / (1 + mean * overdispersion)
  const size = 1 / overdispersion
  let sum = 0
  for (let k = count; k >= 0; k--) {
    sum += term
    if (term < sum * 1e-12 && k < mean) break
    term *= overdispersion < 1e-9 ? k / odds : k / (odds * (k - 1 + size))
  }
  return Math.min(1, sum)
}

/** Probability of `count` or more. */
export const upperTail = (count: number, expected: Count): number => (count <= 0 ? 1 : Math.max(0, 1 - lowerTail(count - 1, expected)))

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
