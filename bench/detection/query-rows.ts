import type { Figure } from '../support.ts'
import { falseAlertsOf, placeAlertsOf, queriesOf, rateFallFound, sharedFallFound, thresholdAlertsOf } from './queries.ts'
import { randomOf } from './random.ts'
import type { Seed } from './seeds.ts'

/** Sites for evaluating the CTR of the top twenty queries, by impressions per day, and for how long. */
const rated = { sites: 15, impressions: [2_000, 20_000, 200_000], days: 610, from: 250, at: 300 }

/** The rules about the CTR of the top twenty queries. */
export async function ofQueries(seed: Seed): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [size, impressions] of rated.impressions.entries()) {
    const queries = Array.from({ length: rated.sites }, (_, i) =>
      queriesOf(randomOf(seed('queries', { site: i, size })), impressions, rated.days),
    )
    const quiet = {
      unusual: await Promise.all(queries.map((each) => falseAlertsOf(each, rated.from))),
      threshold: await Promise.all(queries.map((each) => thresholdAlertsOf(each, rated.from))),
    }
    const places = await Promise.all(queries.map((each, i) => placeAlertsOf(each, randomOf(seed('places', { site: i, size })), rated.from)))
    const falls = await Promise.all(
      Array.from({ length: rated.sites }, (_, i) => {
        const random = randomOf(seed('query falls', { site: i, size }))
        return rateFallFound(queriesOf(random, impressions, rated.at + 14), random, { at: rated.at, part: 0.4, query: 1 })
      }),
    )
    const named = `the first 20 queries of ${impressions.toLocaleString('en')} impressions a day`
    const shared = async (part: number, query: number | 'all') => {
      const foundOn = await Promise.all(
        Array.from({ length: rated.sites }, (_, i) => {
          const random = randomOf(seed('shared falls', { site: i, size }))
          return sharedFallFound(queriesOf(random, impressions, rated.at + 14), random, { at: rated.at, part, query })
        }),
      )
      return (by: number): string => ((100 * foundOn.filter((day) => day !== null && day <= by).length) / foundOn.length).toFixed(0)
    }
    const [all, one] = [await shared(0.2, 'all'), await shared(0.4, 1)]
    const ofSite = sum(quiet.unusual.map((each) => each.ofSite)) / sum(quiet.unusual.map(({ years }) => years))
    figures.push(
      {
        what: `a 20% drop in the CTR of all twenty found by day 7 / 14 as one finding on the site, ${named}`,
        value: `${all(7)} / ${all(14)}%`,
        bar: '–',
        met: true,
      },
      {
        what: `site-wide alerts a year from the rule about unusual CTR while nothing happens; and sites with a site-wide alert when one query loses 40%, ${named}`,
        value: `${ofSite.toFixed(2)} a year; ${one(14)}%`,
        bar: '–',
        met: true,
      },
    )
    const placesAYear = (of: 'criticals' | 'interruptions') => sum(places.map((each) => each[of])) / sum(places.map(({ years }) => years))
    figures.push({
      what: `false critical alerts a year from rules with a threshold about positions and lost rankings, and those that interrupt somebody, ${named}`,
      value: `${placesAYear('criticals').toFixed(2)}, ${placesAYear('interruptions').toFixed(2)}`,
      bar: '≤ 0.2 wake',
      met: placesAYear('interruptions') <= 0.2,
    })
    for (const rule of ['unusual', 'threshold'] as const) {
      const aYear = sum(quiet[rule].map(({ alerts }) => alerts)) / sum(quiet[rule].map(({ years }) => years))
      const found = (by: number) => ((100 * falls.filter(({ [rule]: day }) => day !== null && day <= by).length) / falls.length).toFixed(0)
      const by = rule === 'unusual' ? 'the rule about unusual CTR' : 'the CTR rule with a threshold that every property starts with'
      figures.push(
        { what: `alerts a year from ${by} while nothing happens, ${named}`, value: aYear.toFixed(2), bar: '≤ 1.5', met: aYear <= 1.5 },
        {
          what: `a 40% drop in the second query's CTR found by day 7 / 14 by ${rule === 'unusual' ? 'it' : 'that rule'}, ${named}`,
          value: `${found(7)} / ${found(14)}%`,
          bar: '–',
          met: true,
        },
      )
    }
  }
  return figures
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
