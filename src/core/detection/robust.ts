/** Scales the median absolute deviation to the standard deviation of a normal distribution. */
const normal = 1.4826

/**
 * The value at index `at` if the first `length` values were sorted. Reorders them, smaller ones before it and larger ones after it
 * (Hoare's quickselect: sorting a whole series for each day and window would dominate a scan).
 */
function select(values: Float64Array, length: number, at: number): number {
  let [low, high] = [0, length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number
    let [i, j] = [low, high]
    while (i <= j) {
      while ((values[i] as number) < pivot) i++
      while ((values[j] as number) > pivot) j--
      if (i > j) break
      const swapped = values[i] as number
      values[i++] = values[j] as number
      values[j--] = swapped
    }
    if (at <= j) high = j
    else if (at >= i) low = i
    else break
  }
  return values[at] as number
}

/** `quantile` of values that may be reordered. */
function quantileOf(values: Float64Array, share: number): number {
  if (values.length === 0) return Number.NaN
  const at = share * (values.length - 1)
  const low = Math.floor(at)
  const value = select(values, values.length, low)
  if (at === low) return value
  let next = Infinity
  for (let i = low + 1; i < values.length; i++) next = Math.min(next, values[i] as number)
  return value + (next - value) * (at - low)
}

/** The value below which a `share` of the values lies, interpolated; NaN without values. */
export const quantile = (values: ArrayLike<number>, share: number): number => quantileOf(new Float64Array(values), share)

/** The median; for an even number of values, the mean of the two middle ones; NaN without values. */
export const median = (values: ArrayLike<number>): number => quantile(values, 0.5)

/** A standard deviation around `middle`, the median, that a few outliers don't affect. */
export function spread(values: ArrayLike<number>, middle: number): number {
  const distances = new Float64Array(values)
  for (let i = 0; i < distances.length; i++) distances[i] = Math.abs((distances[i] as number) - middle)
  return normal * quantileOf(distances, 0.5)
}

/** `median` and `spread` of a few values, faster: for thousands of pages with a dozen weeks each. */
export function middleOfFew(values: readonly number[]): { middle: number; spread: number } {
  if (few.length < values.length) few = new Float64Array(values.length)
  const middle = sortedMiddle(values, 0)
  return { middle, spread: normal * sortedMiddle(values, middle) }
}

let few = new Float64Array(16)

/** The median of the values' distances from `from`; their own median if it is 0, as counts aren't negative. */
function sortedMiddle(values: readonly number[], from: number): number {
  const { length } = values
  for (let i = 0; i < length; i++) {
    const value = Math.abs((values[i] as number) - from)
    let at = i
    for (; at > 0 && (few[at - 1] as number) > value; at--) few[at] = few[at - 1] as number
    few[at] = value
  }
  if (length === 0) return Number.NaN
  const half = (length - 1) / 2
  const [low, high] = [few[Math.floor(half)] as number, few[Math.ceil(half)] as number]
  return low + (high - low) * (half - Math.floor(half))
}

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
