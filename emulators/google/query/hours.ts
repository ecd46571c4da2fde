// How busy the hours of a day are, from midnight, in the property's main market as seen from Los Angeles.
const CURVE = [5, 6, 7, 7, 7, 7, 7, 6, 6, 6, 7, 7, 8, 8, 7, 5, 4, 3, 2, 2, 2, 3, 3, 4]

/**
 * Shares of the day's events per hour, adding up to 1. `dayShare` is how much of the day is over: the hours still to
 * come have none. Days on which clocks change have 23 or 25 hours.
 */
export function hourShares(hours: number, dayShare: number): Float64Array {
  const shares = new Float64Array(hours)
  let sum = 0
  for (let hour = 0; hour < hours; hour++) {
    const passed = Math.min(1, Math.max(0, dayShare * hours - hour))
    shares[hour] = (CURVE[hour % 24] ?? 1) * passed
    sum += shares[hour] ?? 0
  }
  if (sum > 0) for (let hour = 0; hour < hours; hour++) shares[hour] = (shares[hour] ?? 0) / sum
  return shares
}
