import type { DailyCounts } from '../../src/core/detection/series.ts'
import { addDays, dayNumber } from '../../src/core/analytics/days.ts'
import { between, gamma, normal, poisson, type Random } from './random.ts'

/**
 * Sites that no detector was tuned on: a slowly drifting level, autocorrelated daily noise, counts of two kinds, weekdays, trends, spikes,
 * holidays (some of them known), and seasons.
 */
export type SiteKind = 'ordinary' | 'growing' | 'restless' | 'bursty' | 'school' | 'shop'

const start = '2023-01-02'
/** Holidays that the detector knows about, and days with events that are in no table. */
const knownHolidays = ['12-24', '12-25', '12-26', '12-31', '01-01', '07-04', '11-28', '05-27', '09-02']
const isKnownHoliday = new Set(knownHolidays)
const holidayWeek = (month: number, day: number): boolean => (month === 12 && day >= 20) || (month === 1 && day <= 2)

export const isHoliday = (day: number): boolean => {
  const date = addDays(start, day - dayNumber(start))
  return isKnownHoliday.has(date.slice(5)) || holidayWeek(Number(date.slice(5, 7)), Number(date.slice(8)))
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

/** `spikes`: indexes of days on which one begins; a rise on the following days isn't a false alarm. */
export type Site = { series: DailyCounts; spikes: number[] }

/** A site with about `level` per day, for this many days. */
export function siteOf(random: Random, kind: SiteKind, level: number, days: number): Site {
  const { noise, carries, wanders, clumps, spikesAYear, growthAYear } = characterOf(random, kind)
  const weekdays = (weekdayPatterns[Math.floor(random() * weekdayPatterns.length)] ?? weekdayPatterns[0]).map(
    (each) => each * between(random, 0.8, 1.2),
  )
  const season = seasonOf(kind, random)
  const quietOnHolidays = between(random, -0.8, 0.1)
  // Days that are in no table: a local holiday, a strike.
  const unknown = new Set(Array.from({ length: 2 }, () => Math.floor(random() * 365)))
  const unknownEffect = between(random, -0.4, 0.15)
  let [wandered, carried, spike, decay] = [0, 0, 0, 0]
  const counts: number[] = []
  const spikes: number[] = []
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
      (unknown.has(Math.floor(i % 365.25)) ? unknownEffect : 0)
    const mean = Math.exp(logs) * (1 + spike)
    const clumped = clumps === 0 ? mean : mean * (gamma(random, 1 / clumps) * clumps)
    counts.push(poisson(random, clumped))
  }
  return { series: { start, counts }, spikes }
}
