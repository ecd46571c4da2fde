import { formatDay } from '../dates.ts'
import { ctrAt, reachAt, seasonFactor } from './curves.ts'
import type { Season } from './curves.ts'
import { effectOn } from './incidents.ts'
import { mix, normal, poisson, unit } from './random.ts'
import type { Surface } from './surface.ts'

/**
 * One day of one search type, as columns; row i is one query on one page. Every impression is one of three: clicked, seen (not clicked), or
 * a repeat: not clicked, and a better page of the same site was shown in the same search. By page, all three count as impressions; by
 * property, repeats don't. Sums of positions are integers, so that every grouping adds up to exactly the same.
 */
export interface DayRows {
  count: number
  readonly page: Int32Array
  /** -1: anonymized. */
  readonly query: Int32Array
  readonly clicks: Int32Array
  readonly seen: Int32Array
  readonly repeats: Int32Array
  /** Sum of the positions of clicked and seen impressions, and that of the repeats. */
  readonly positions: Float64Array
  readonly repeatPositions: Float64Array
  /** The seed for a row's split into countries, devices and hours. */
  readonly seed: Uint32Array
  /** Country and device of literal rows, as a cell index; absent or -1: drawn. */
  readonly cell?: Int32Array
  /** Counts of the whole day if the others cover part of it; hours are distributed by these. */
  readonly whole?: Counts
}

export type Counts = Readonly<Record<'clicks' | 'seen' | 'repeats', Int32Array>>

export function emptyRows(capacity: number): DayRows {
  return {
    count: 0,
    page: new Int32Array(capacity),
    query: new Int32Array(capacity),
    clicks: new Int32Array(capacity),
    seen: new Int32Array(capacity),
    repeats: new Int32Array(capacity),
    positions: new Float64Array(capacity),
    repeatPositions: new Float64Array(capacity),
    seed: new Uint32Array(capacity),
  }
}

const WAVE = new Float64Array(1024)
for (let i = 0; i < WAVE.length; i++) WAVE[i] = Math.sin((2 * Math.PI * i) / WAVE.length)

/** Positions wander on two slow waves, about 11 weeks and 3 weeks long, differently for each pair. */
function wander(phase: number, day: number): number {
  const slow = WAVE[(phase + day * 13) & 1023] ?? 0
  const quick = WAVE[((phase >> 6) + day * 47) & 1023] ?? 0
  return 1 + 0.13 * slow + 0.05 * quick
}

/** A feed shows a page in bursts: two or three days of attention, then nearly nothing for weeks. */
function burst(seed: number, row: number, day: number): number {
  let factor = 0.04
  for (let age = 0; age < 3; age++) {
    if (unit(mix(mix(seed, row), day - age)) < 0.03) factor += 7 / (age + 1) ** 1.5
  }
  return factor
}

/** The final figures of a day. They never change: they depend only on the property, the day and the anchor. */
export function generateDay(surface: Surface, season: Season, day: number, anchor: number): DayRows {
  const rows = emptyRows(surface.count)
  const daySeed = mix(surface.seed, day)
  let busy = seasonFactor(season, day, surface.seed, formatDay(day))
  let siteCtr = 1
  let sitePosition = 0
  for (const incident of surface.siteIncidents) {
    const effect = effectOn(incident, day, anchor)
    if (!effect) continue
    busy *= effect.impressions
    siteCtr *= effect.ctr
    sitePosition += effect.position
  }
  let n = 0
  for (let i = 0; i < surface.count; i++) {
    const draw = mix(daySeed, i)
    const base = surface.position[i] ?? 1
    let mean = (surface.mean[i] ?? 0) * busy
    let ctr = (surface.ctr[i] ?? 1) * siteCtr
    let added = sitePosition
    const own = surface.incidents[i]
    if (own !== undefined) {
      for (const incident of own) {
        const effect = effectOn(incident, day, anchor)
        if (!effect) continue
        mean *= effect.impressions
        ctr *= effect.ctr
        added += effect.position
      }
    }
    if (surface.feed) mean *= burst(surface.seed, i, day)
    const position = Math.max(1, base * wander(surface.phase[i] ?? 0, day) + added)
    // The mean refers to the usual position: fewer people get further down the page.
    const impressions = poisson((mean * reachAt(position)) / reachAt(base), unit(draw))
    if (impressions === 0) continue
    const second = mix(draw, 1)
    const clicks = Math.min(impressions, poisson(impressions * ctr * (surface.feed ? 1 : ctrAt(position)), unit(second)))
    const rest = impressions - clicks
    const repeat = surface.repeat[i] ?? 0
    const third = mix(second, 2)
    const repeats = repeat === 0 ? 0 : Math.min(rest, Math.floor(rest * repeat + unit(third)))
    const today = Math.max(1, position + (0.25 * Math.sqrt(position) * normal(unit(third))) / Math.sqrt(impressions))
    rows.page[n] = surface.page[i] ?? 0
    rows.query[n] = surface.query[i] ?? -1
    rows.clicks[n] = clicks
    rows.seen[n] = rest - repeats
    rows.repeats[n] = repeats
    rows.positions[n] = Math.round(today * (impressions - repeats))
    rows.repeatPositions[n] = Math.round(today * repeats)
    rows.seed[n] = third
    n += 1
  }
  rows.count = n
  return rows
}
