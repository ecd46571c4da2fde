import { evaluate } from '../../src/core/alerting/evaluate.ts'
import { defaultOf } from '../../src/core/alerting/defaults.ts'
import { ruleOf } from '../../src/core/alerting/options.ts'
import { seriesOf } from '../../src/core/alerting/series.ts'
import { historyWeeks, weeksBefore, windowsOf } from '../../src/core/alerting/windows.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import type { Site } from './generator.ts'

const cooldown = 14
const rule = ruleOf('drop', { ...defaultOf('clicks', 'change'), monitor: 'site', onlyUnusual: false })

/** A threshold rule's critical alerts on a site where nothing happens, and those of them that interrupt somebody. */
export function interruptionsOf({ series: { start, counts } }: Site): { years: number; criticals: number; interruptions: number } {
  const zeros = counts.map(() => 0)
  const clicks = counts.map((count) => count ?? 0)
  const figures = { name: 'site', day: counts.map((_, i) => i), clicks, impressions: clicks, positionSum: zeros, rankedImpressions: zeros }
  const series = seriesOf(figures, start, counts.length)
  const from = 7 * (historyWeeks + 1)
  const found = { criticals: 0, interruptions: 0 }
  const until = { criticals: -1, interruptions: -1 }
  for (let end = from; end < counts.length; end++) {
    const windows = windowsOf(rule.comparison, addDays(start, end))
    const finding = evaluate(
      rule,
      {
        entity: { kind: 'site', name: 'site' },
        current: series.sums(windows.current),
        base: series.sums(windows.base),
        past: { weeks: weeksBefore(windows.current).map((week) => series.sums(week)), yearAgo: [] },
        firstSeen: start,
      },
      windows,
    )
    if (finding?.severity !== 'critical') continue
    for (const which of ['criticals', 'interruptions'] as const) {
      if (end < until[which] || (which === 'interruptions' && finding.interrupts === false)) continue
      until[which] = end + cooldown
      found[which] += 1
    }
  }
  return { years: (counts.length - from) / 365.25, ...found }
}
