/**
 * What a smart rule expects for a week of the busiest entity it watches, and the values at which it alerts; null if it never does, as in
 * a direction it doesn't watch. Clicks or impressions, a CTR as a fraction, or a position.
 */
export type ExpectedWeek = { entity: string; value: number; low: number | null; high: number | null }

/** The largest rise that is tried, and how often the distance to the limit is halved: to about a hundredth of what is expected. */
const mostTimes = 8
const halvings = 9

/** The limits of a rule, found by running the rule itself: nothing else is sure to agree with it. */
export async function limitsOf(
  expected: number,
  alerts: (value: number) => Promise<boolean>,
  most = expected * mostTimes,
): Promise<Pick<ExpectedWeek, 'low' | 'high'>> {
  const limit = async (extreme: number): Promise<number | null> => {
    if (expected <= 0 || !(await alerts(extreme))) return null
    let [far, near] = [extreme, expected]
    for (let i = 0; i < halvings; i++) {
      const middle = (far + near) / 2
      if (await alerts(middle)) far = middle
      else near = middle
    }
    return far
  }
  return { low: await limit(0), high: await limit(most) }
}
