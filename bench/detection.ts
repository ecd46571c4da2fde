import { measureNight } from './detection/night.ts'
import { ofHours } from './detection/hour-rows.ts'
import { falseOf, fallsFound, firstEvaluated, pagesOf } from './detection/pages.ts'
import { ofQueries } from './detection/query-rows.ts'
import { randomOf } from './detection/random.ts'
import { type Seed, seedOf, type SeedSet } from './detection/seeds.ts'
import { interruptionsOf } from './detection/threshold.ts'
import { dropFound, falseDropsOf, topPagesOf } from './detection/top-pages.ts'
import { type SiteKind, siteOf } from './detection/generator.ts'
import { alarmsOf, foundOn, secondsOf } from './detection/alarms.ts'
import type { Figure } from './support.ts'

const sites = 40
const days = 560
/** Days of history needed to evaluate a site at all, and to know a second season. */
const past = { any: 70, season: 400 }
const seasonDays = 800
/** When summer holidays begin, and the sale ends, in the second year. */
const seasonFalls = { school: Math.floor(365.25 * 1.47), shop: Math.floor(365.25 * 1.95) }

/** Sites with events before they fall: their days, the first evaluated one, and the day of the fall if it isn't tried on three days. */
const eventful = [
  { kind: 'viral', named: 'grown after a viral week', days, from: 270 },
  { kind: 'two seasons', named: 'with two seasons a year, in its main one', days: 830, from: 400, at: 2 * 365 + 70 },
  { kind: 'unreliable', named: 'down three times a year', days, from: past.any },
] as const satisfies { kind: SiteKind; named: string; days: number; from: number; at?: number }[]
const eventfulDrops = [0.3, 0.5, 0.97]

/** Sites with thousands of pages: how many, how long, and how many pages lose a part at once. */
const many = { sites: 8, pages: 2_000, evaluatedDays: 70, weakened: 6, clicks: 200, spikesAYear: { few: 0.3, often: 5 } }

type Row = {
  kinds: readonly SiteKind[]
  level: number
  drops: readonly number[]
  days: number
  from: number
  at?: number | undefined
  size: number
}
type Result = { years: number; falls: number; rises: number; criticals: number; found: { by7: number; by14: number; of: number }[] }

/** How often the smart rule alerts on sites where nothing happens, and how soon it finds a drop. */
export async function benchDetection(set: SeedSet = 'table'): Promise<Figure[]> {
  const seed = seedOf(set)
  const ordinary: readonly SiteKind[] = ['ordinary', 'ordinary', 'growing']
  const levels = [3, 10, 30, 100, 300, 1_000, 3_000, 30_000]
  const bySize = levels.map((level, size) => ({
    level,
    ...measure({ kinds: ordinary, level, drops: level < 100 ? [0.5] : [0.2, 0.3, 0.5], days, from: past.any, size }, seed),
  }))
  const large = bySize.filter(({ level }) => level >= 100)
  const seasonal = (['school', 'shop'] as const).map((kind, i) =>
    measure({ kinds: [kind], level: 1_000, drops: [0.3], days: seasonDays, from: past.season, at: seasonFalls[kind], size: 20 + i }, seed),
  )
  const bursty = measure({ kinds: ['bursty'], level: 1_000, drops: [], days, from: past.any, size: 22 }, seed)
  const restless = measure({ kinds: ['restless'], level: 1_000, drops: [], days, from: past.any, size: 23 }, seed)
  const afterEvents = eventful.map(({ kind, named, ...when }, i) => ({
    named,
    result: measure({ kinds: [kind], level: 1_000, drops: eventfulDrops, ...when, size: 24 + i }, seed),
  }))
  const found = (at: number, by7: number, by14: number): Figure => {
    const all = large.map((result) => result.found[at]).filter((each) => each !== undefined)
    const share = (of: 'by7' | 'by14') => (100 * sum(all.map((each) => each[of]))) / sum(all.map((each) => each.of))
    return {
      what: `a ${[20, 30, 50][at]}% drop found by day 7 / 14, sites with at least 100 clicks a day`,
      value: `${share('by7').toFixed(0)} / ${share('by14').toFixed(0)}%`,
      bar: `≥ ${by7} / ${by14}%`,
      met: share('by7') >= by7 && share('by14') >= by14,
    }
  }
  const quiet = (what: string, { years, falls, rises }: Result, bar: number): Figure => ({
    what: `alerts a year while nothing happens, ${what} (drops + rises)`,
    value: `${((falls + rises) / years).toFixed(2)} (${(falls / years).toFixed(2)} + ${(rises / years).toFixed(2)})`,
    bar: `≤ ${bar.toFixed(1)}`,
    met: (falls + rises) / years <= bar,
  })
  const criticalsOf = (some: readonly Result[]): number => sum(some.map((each) => each.criticals)) / sum(some.map((each) => each.years))
  const criticals = criticalsOf([...bySize, ...seasonal, bursty, restless])
  const woken = interruptions(levels, ordinary, seed)
  const seconds = secondsOf(siteOf(randomOf(seed('speed', { site: 0 })), 'ordinary', 1_000, 500))
  return [
    ...bySize.map((result) => quiet(`${result.level.toLocaleString('en')} clicks a day`, result, 1)),
    ...bySize
      .filter(({ level }) => level < 100)
      .map(({ level, found: [half] }) => ({
        what: `a 50% drop found by day 7 / 14, ${level} clicks a day`,
        value: half ? `${((100 * half.by7) / half.of).toFixed(0)} / ${((100 * half.by14) / half.of).toFixed(0)}%` : '–',
        bar: '–',
        met: true,
      })),
    found(0, 75, 85),
    found(1, 94, 97),
    found(2, 99, 100),
    ...(['school', 'shop'] as const).flatMap((kind, i) => {
      const result = seasonal[i] as Result
      const [half] = result.found
      return [
        quiet(`a ${kind} in its second year`, result, 1),
        {
          what: `a 30% drop during the season's own decline found by day 14, a ${kind} in its second year`,
          value: half ? `${((100 * half.by14) / half.of).toFixed(0)}%` : '–',
          bar: '≥ 80%',
          met: half !== undefined && half.by14 / half.of >= 0.8,
        },
      ]
    }),
    quiet('bursty sites', bursty, 1.2),
    quiet('volatile sites', restless, 1.2),
    ...afterEvents.flatMap(({ named, result }) => [
      quiet(`sites ${named}`, result, 1.2),
      {
        what: `a ${eventfulDrops.map((part) => Math.round(100 * part)).join(' / ')}% drop found by day 14, sites ${named}`,
        value: `${result.found.map(({ by14, of }) => ((100 * by14) / of).toFixed(0)).join(' / ')}%`,
        bar: '≥ 60 / 90 / 100%',
        met: result.found.every(({ by14, of }, i) => by14 / of >= ([0.6, 0.9, 1][i] ?? 1)),
      },
    ]),
    {
      what: 'critical alerts a year from a rule with a 15% threshold while nothing happens, and how many of them wake somebody',
      value: `${woken.criticals.toFixed(2)}, ${woken.interruptions.toFixed(2)}`,
      bar: '≤ 0.2 wake',
      met: woken.interruptions <= 0.2,
    },
    {
      what: 'false critical alerts a year on all of these sites (on bursty ones, on volatile ones)',
      value: `${criticals.toFixed(2)} (${criticalsOf([bursty]).toFixed(2)}, ${criticalsOf([restless]).toFixed(2)})`,
      bar: '≤ 0.1',
      met: criticals <= 0.1,
    },
    {
      what: 'nightly evaluation of 10,000 sites with 500 days each: with stored state, and from scratch',
      value: `${((seconds.night * 10_000) / 60).toFixed(1)} min, ${((seconds.scratch * 10_000) / 60).toFixed(1)} min`,
      bar: '≤ 20 min a night',
      met: (seconds.night * 10_000) / 60 <= 20,
    },
    ...ofHours(ordinary, days, past.any, seed),
    ...(await ofTopPages(seed)),
    ...ofPages(seed),
    ...(await ofQueries(seed)),
    ...(await measureNight()),
  ]
}

/** A threshold rule's alerts per year on sites where nothing happens: critical ones, and those that interrupt somebody. */
function interruptions(levels: readonly number[], kinds: readonly SiteKind[], seed: Seed): { criticals: number; interruptions: number } {
  const all = levels.flatMap((level, size) =>
    Array.from({ length: sites }, (_, i) =>
      interruptionsOf(siteOf(randomOf(seed('sites', { site: i, size })), kinds[i % kinds.length] ?? 'ordinary', level, days)),
    ),
  )
  const years = sum(all.map((each) => each.years))
  return {
    criticals: sum(all.map(({ criticals }) => criticals)) / years,
    interruptions: sum(all.map((each) => each.interruptions)) / years,
  }
}

/** The default rule about drops in clicks on the ten top pages of a site. */
async function ofTopPages(seed: Seed): Promise<Figure[]> {
  const parts = [0.3, 0.5] as const
  const quietly = { alerts: 0, years: 0 }
  const found = parts.map(() => ({ by7: 0, by14: 0 }))
  for (let site = 0; site < sites; site++) {
    const random = randomOf(seed('top pages', { site }))
    const top = topPagesOf(random, days)
    const { alerts, years } = await falseDropsOf(top)
    quietly.alerts += alerts
    quietly.years += years
    for (const [i, part] of parts.entries()) {
      const { by7, by14 } = await dropFound(top, random, part)
      const of = found[i] as (typeof found)[number]
      of.by7 += Number(by7)
      of.by14 += Number(by14)
    }
  }
  const share = (count: number): string => ((100 * count) / sites).toFixed(0)
  return [
    {
      what: 'alerts a year from the default rule about drops in clicks while nothing happens, ten top pages',
      value: (quietly.alerts / quietly.years).toFixed(2),
      bar: '–',
      met: true,
    },
    ...found.map(({ by7, by14 }, i) => ({
      what: `a ${100 * (parts[i] ?? 0)}% drop on one of them found by day 7 / 14`,
      value: `${share(by7)} / ${share(by14)}%`,
      bar: '–',
      met: true,
    })),
  ]
}

function ofPages(seed: Seed): Figure[] {
  return (['few', 'often'] as const).flatMap((spiky) => {
    const found = { of: 0, by7: 0, by14: 0 }
    const alarms = { weeks: 0, falls: 0, rises: 0 }
    for (let site = 0; site < many.sites; site++) {
      const random = randomOf(seed('pages', { site, size: spiky === 'few' ? 0 : 1 }))
      const pages = pagesOf(random, { pages: many.pages, days: firstEvaluated + many.evaluatedDays, spikesAYear: many.spikesAYear[spiky] })
      const { weeks, falls, rises } = falseOf(pages)
      alarms.weeks += weeks
      alarms.falls += falls
      alarms.rises += rises
      for (const after of [5, 30, 52]) {
        const each = fallsFound(pages, random, { at: firstEvaluated + after, part: 0.5, clicks: many.clicks, pages: many.weakened })
        found.of += each.of
        found.by7 += each.by7
        found.by14 += each.by14
      }
    }
    const share = (count: number) => (100 * count) / found.of
    const bar = spiky === 'few' ? { by7: 85, by14: 88 } : { by7: 60, by14: 77 }
    const named = spiky === 'few' ? '' : `, each with ${many.spikesAYear.often} spikes a year`
    const perWeek = (alarms.falls + alarms.rises) / alarms.weeks
    return [
      {
        what: `false alarms a week, ${many.pages.toLocaleString('en')} pages${named} (drops + rises)`,
        value: `${perWeek.toFixed(2)} (${(alarms.falls / alarms.weeks).toFixed(2)} + ${(alarms.rises / alarms.weeks).toFixed(2)})`,
        bar: '≤ 0.5',
        met: perWeek <= 0.5,
      },
      {
        what: `a 50% drop on a page with at least ${many.clicks} clicks a week found by day 7 / 14${named}`,
        value: `${share(found.by7).toFixed(0)} / ${share(found.by14).toFixed(0)}%`,
        bar: `≥ ${bar.by7} / ${bar.by14}%`,
        met: share(found.by7) >= bar.by7 && share(found.by14) >= bar.by14,
      },
    ]
  })
}

function measure({ kinds, level, drops, days: length, from, at, size }: Row, seed: Seed): Result {
  const result: Result = { years: 0, falls: 0, rises: 0, criticals: 0, found: drops.map(() => ({ by7: 0, by14: 0, of: 0 })) }
  for (let i = 0; i < sites; i++) {
    const site = siteOf(randomOf(seed('sites', { site: i, size })), kinds[i % kinds.length] ?? 'ordinary', level, length)
    const alarms = alarmsOf(site, from)
    result.years += alarms.years
    result.falls += alarms.falls
    result.rises += alarms.rises
    result.criticals += alarms.criticals
    const random = randomOf(seed('drops', { site: i, size }))
    for (const [which, part] of drops.entries()) {
      for (const day of at === undefined ? [Math.floor(length * 0.45), Math.floor(length * 0.7), length - 20] : [at]) {
        const on = foundOn(site, day, part, random)
        const of = result.found[which]
        if (!of) continue
        of.of += 1
        if (on !== null) of.by14 += 1
        if (on !== null && on <= 7) of.by7 += 1
      }
    }
  }
  return result
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
