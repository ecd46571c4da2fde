/** Makes the median absolute deviation an estimate of the standard deviation of a normal distribution. */
const normal = 1.4826

/**
 * The value that stands at `at` once the first `length` values are in order; they are moved about, the smaller ones before it, the
 * larger ones behind it (quickselect after Hoare: a sort of a whole series, once a day and window, is what a scan would spend its time on).
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

/** `quantile`, of values that may be moved about. */
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

/** The value below which a `share` of them lies, interpolated; NaN of none. */
export const quantile = (values: ArrayLike<number>, share: number): number => quantileOf(new Float64Array(values), share)

/** The middle of some values, the mean of the two middle ones where their number is even; NaN of none. */
export const median = (values: ArrayLike<number>): number => quantile(values, 0.5)

/** How far values usually lie from `middle`, their median: a standard deviation that a few outliers do not change. */
export function spread(values: ArrayLike<number>, middle: number): number {
  const distances = new Float64Array(values)
  for (let i = 0; i < distances.length; i++) distances[i] = Math.abs((distances[i] as number) - middle)
  return normal * quantileOf(distances, 0.5)
}

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
