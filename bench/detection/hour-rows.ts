import type { Figure } from '../support.ts'
import { type SiteKind, siteOf } from './generator.ts'
import { afternoonFound, hourlyAlarmsOf } from './hours.ts'
import { randomOf } from './random.ts'
import type { Seed } from './seeds.ts'

/** Sites whose days are looked at hour by hour, and the day that loses a part. */
const hourly = { sites: 18, levels: [300, 3_000], parts: [0.5, 0.8, 1], at: 402 }

/** What the smart rule adds by looking at the hours of each day, and how much of a day's loss it sees before the day is over. */
export function ofHours(ordinary: readonly SiteKind[], days: number, past: number, seed: Seed): Figure[] {
  const groups: { name: string; kinds: readonly SiteKind[] }[] = [
    { name: 'ordinary sites', kinds: ordinary },
    { name: 'volatile and bursty sites', kinds: ['restless', 'bursty'] },
    { name: 'schools and shops', kinds: ['school', 'shop'] },
  ]
  return groups.flatMap(({ name, kinds }, kind) => {
    const quietly = { years: 0, alerts: 0, criticals: 0 }
    const found = hourly.parts.map(() => 0)
    for (let i = 0; i < hourly.sites; i++) {
      const site = siteOf(
        randomOf(seed('hours', { site: i, size: kind })),
        kinds[i % kinds.length] ?? 'ordinary',
        hourly.levels[i % hourly.levels.length] ?? 0,
        days,
      )
      const { years, falls, rises, criticals } = hourlyAlarmsOf(site, randomOf(seed('hours', { site: i, size: 10 + kind })), past)
      quietly.years += years
      quietly.alerts += falls + rises
      quietly.criticals += criticals
      for (const [which, part] of hourly.parts.entries())
        if (afternoonFound(site, randomOf(seed('afternoons', { site: i, size: kind })), hourly.at, part))
          found[which] = (found[which] ?? 0) + 1
    }
    const aYear = quietly.alerts / quietly.years
    return [
      {
        what: `alerts a year that hours add while nothing happens, ${name} (critical ones)`,
        value: `${aYear.toFixed(2)} (${(quietly.criticals / quietly.years).toFixed(2)})`,
        bar: '≤ 0.2',
        met: aYear <= 0.2,
      },
      {
        what: `a day that loses ${hourly.parts.map((part) => `${100 * part}%`).join(' / ')} from 9:00 on found before its end, ${name}`,
        value: `${found.map((count) => ((100 * count) / hourly.sites).toFixed(0)).join(' / ')}%`,
        bar: '–',
        met: true,
      },
    ]
  })
}
