import { holidaysOf } from '../../src/core/detection/holidays.ts'
import type { DailyCounts, IsHoliday } from '../../src/core/detection/series.ts'
import { dayNumber, fromDayNumber } from '../../src/core/analytics/days.ts'
import { between, gamma, normal, poisson, type Random } from './random.ts'

/**
 * Sites that no detector was tuned on: a slowly drifting level, autocorrelated daily noise, counts of two kinds, weekdays, trends, spikes,
 * holidays (some of them known), and seasons.
 */
export type SiteKind = 'ordinary' | 'growing' | 'restless' | 'bursty' | 'school' | 'shop' | 'viral' | 'two seasons' | 'unreliable'

const start = '2023-01-02'
/** Countries whose holidays the detector knows: fixed, by weekday, and around Easter. */
const countries = ['usa', 'deu', 'gbr', 'fra', 'bra'] as const
export const countryOf = (random: Random): string => countries[Math.floor(random() * countries.length)] ?? 'usa'

/**
 * Days that are in no table, one the same every year and one that moves: the nth weekday of a month, as local holidays and fairs do.
 */
export function unknownDaysOf(random: Random): (day: number) => boolean {
  const fixed = Math.floor(random() * 365)
  const moving = { month: 1 + Math.floor(random() * 12), nth: Math.floor(random() * 4), weekday: Math.floor(random() * 7) }
  return (day) => {
    const date = fromDayNumber(day)
    const [month, dayOfMonth] = [Number(date.slice(5, 7)), Number(date.slice(8))]
    const ofYear = day - dayNumber(`${date.slice(0, 4)}-01-01`)
    return ofYear === fixed || (month === moving.month && day % 7 === moving.weekday && Math.floor((dayOfMonth - 1) / 7) === moving.nth)
  }
}

type Character = {
  /** A day's standard deviation, how much of it carries over to the next, and how far the level drifts per day. */
  noise: number
  carries: number
  wanders: number
  /** Overdispersion of the counts themselves. */
  clumps: number
  spikesAYear: number
  growthAYear: number
}

function characterOf(random: Random, kind: SiteKind): Character {
  const steady: Character = {
    noise: between(random, 0.03, 0.09),
    carries: between(random, 0.2, 0.6),
    wanders: between(random, 0.002, 0.007),
    clumps: random() < 0.5 ? 0 : between(random, 0.001, 0.004),
    spikesAYear: between(random, 0, 3),
    growthAYear: between(random, -0.2, 0.35),
  }
  if (kind === 'growing') return { ...steady, growthAYear: between(random, 0.5, 1.2) }
  if (kind === 'restless') return { ...steady, noise: between(random, 0.1, 0.2), wanders: between(random, 0.008, 0.014), spikesAYear: 6 }
  if (kind === 'bursty') return { ...steady, noise: between(random, 0.1, 0.25), wanders: 0.012, spikesAYear: between(random, 12, 25) }
  return steady
}

/** Natural logarithm of the seasonal effect on a day of the year (0 to 1). */
function seasonOf(kind: SiteKind, random: Random): (share: number) => number {
  const late = between(random, -0.015, 0.015)
  if (kind === 'school') {
    const depth = between(random, 0.5, 0.9)
    const ramp = (share: number, at: number, width: number) => 1 / (1 + Math.exp(-(share - at - late) / width))
    return (share) => -depth * (ramp(share, 0.46, 0.012) - ramp(share, 0.66, 0.01))
  }
  if (kind === 'shop') {
    const height = between(random, 0.5, 0.9)
    return (share) => height * Math.exp(-(((share - 0.92 - late) / 0.05) ** 2)) + 0.15 * Math.sin(2 * Math.PI * share)
  }
  const swing = between(random, 0, 0.12)
  const phase = random()
  return (share) => swing * Math.sin(2 * Math.PI * (share + phase))
}

const weekdayPatterns = [
  [0.08, 0.1, 0.1, 0.06, 0, -0.3, -0.25],
  [0.25, 0.28, 0.26, 0.24, 0.12, -0.9, -0.8],
  [-0.05, -0.05, -0.05, 0, 0.02, 0.1, 0.12],
  [0, 0, 0, 0, 0, 0, 0],
] as const

/** How often a day is not complete on its evening, and by how much; it is revised before the next one. */
const late = { share: 0.05, least: 0.02, most: 0.12 }

/**
 * `spikes`: indexes of days on which one begins; a rise on the following days isn't a false alarm. `outages`: a drop during one isn't,
 * either. `late`: the count of days that were not complete on their own evening, by index.
 */
export type Site = { series: DailyCounts; spikes: number[]; outages: Outage[]; late: ReadonlyMap<number, number>; isHoliday: IsHoliday }

/** A site with about `level` per day, for this many days. */
export function siteOf(random: Random, kind: SiteKind, level: number, days: number): Site {
  const { noise, carries, wanders, clumps, spikesAYear, growthAYear } = characterOf(random, kind)
  const weekdays = (weekdayPatterns[Math.floor(random() * weekdayPatterns.length)] ?? weekdayPatterns[0]).map(
    (each) => each * between(random, 0.8, 1.2),
  )
  const season = seasonOf(kind, random)
  const quietOnHolidays = between(random, -0.8, 0.1)
  const isHoliday = holidaysOf(countryOf(random))
  const isUnknown = unknownDaysOf(random)
  const unknownEffect = between(random, -0.4, 0.15)
  let [wandered, carried, spike, decay] = [0, 0, 0, 0]
  const { leave, outages } = eventsOf(random, kind, days)
  const counts: number[] = []
  const spikes: number[] = []
  const lateCounts = new Map<number, number>()
  for (let i = 0; i < days; i++) {
    const day = dayNumber(start) + i
    wandered += wanders * normal(random)
    carried = carries * carried + Math.sqrt(1 - carries ** 2) * noise * normal(random)
    spike *= decay
    if (random() < spikesAYear / 365) {
      spike = Math.exp(between(random, 0.3, kind === 'bursty' ? 1.6 : 1.1)) - 1
      decay = between(random, 0.2, 0.75)
      spikes.push(i)
    }
    const share = (i % 365.25) / 365.25
    const logs =
      Math.log(level) +
      wandered +
      (growthAYear * i) / 365 +
      season(share) +
      (weekdays[i % 7] ?? 0) +
      carried +
      (isHoliday(day) ? quietOnHolidays : 0) +
      (isUnknown(day) ? unknownEffect : 0)
    const mean = Math.exp(logs) * (1 + spike) * leave(i)
    const clumped = clumps === 0 ? mean : mean * (gamma(random, 1 / clumps) * clumps)
    const count = poisson(random, clumped)
    counts.push(count)
    if (random() < late.share) lateCounts.set(i, Math.round(count * (1 - between(random, late.least, late.most))))
  }
  return { series: { start, counts }, spikes, outages, late: lateCounts, isHoliday }
}

type Outage = { from: number; length: number }

/** When sites of these kinds have their events, by index; random within `spread` days. */
const events = {
  /** A week at six tenths of what the site has since it grew, and before that a tenth. */
  viral: { week: 120, grew: 200, before: 0.1, peak: 0.6, spread: 20 },
  /** A main season of a hundred days and another of 25, by day of the year; between them, a twentieth to an eighth. */
  seasons: { main: [20, 120], other: [275, 300], otherPeak: 0.7, from: 0.05, to: 0.125, spread: 5 },
  /** Outages of one to three days, about as often. */
  outages: { aYear: 3, longest: 3, left: 0.02 },
} as const

/** What the events of a kind of site leave of its level by day, 1 without any; and its outages. */
function eventsOf(random: Random, kind: SiteKind, days: number): { leave: (i: number) => number; outages: Outage[] } {
  const around = (i: number, spread: number): number => i + Math.round(between(random, -spread, spread))
  if (kind === 'viral') {
    const { week, grew, before, peak, spread } = events.viral
    const [first, from] = [around(week, spread), around(grew, spread)]
    return { leave: (i) => (i >= from ? 1 : i >= first && i < first + 7 ? peak : before), outages: [] }
  }
  if (kind === 'two seasons') {
    const { main, other, otherPeak, from, to, spread } = events.seasons
    const low = between(random, from, to)
    const years = Array.from({ length: Math.ceil(days / 365) }, () =>
      [main, other].map((season) => season.map((day) => around(day, spread))),
    )
    const isIn = (i: number, which: 0 | 1): boolean => {
      const [first = 0, after = 0] = years[Math.floor(i / 365)]?.[which] ?? []
      return i % 365 >= first && i % 365 < after
    }
    return { leave: (i) => (isIn(i, 0) ? 1 : isIn(i, 1) ? otherPeak : low), outages: [] }
  }
  if (kind === 'unreliable') {
    const { aYear, longest, left } = events.outages
    const every = 365 / aYear
    const outages = Array.from({ length: Math.ceil(days / every) }, (_, i) => ({
      from: Math.round((i + between(random, 0.2, 0.8)) * every),
      length: 1 + Math.floor(random() * longest),
    }))
    return { leave: (i) => (outages.some(({ from, length }) => from <= i && i < from + length) ? left : 1), outages }
  }
  return { leave: () => 1, outages: [] }
}

/** For pages and queries: the logarithmic effect of each day's holiday on the site's visitors, known or not; 0 on other days. */
export function holidayEffects(random: Random, days: number): Float64Array {
  const isHoliday = holidaysOf(countryOf(random))
  const isUnknown = unknownDaysOf(random)
  const effect = between(random, -0.6, 0.1)
  return Float64Array.from({ length: days }, (_, i) => {
    const day = dayNumber(start) + i
    return isHoliday(day) || isUnknown(day) ? effect : 0
  })
}
