import { changeOf, figureOf, gainOf, type Sums } from '../../core/alerting/figures.ts'
import type { AlertMetric } from '../../core/alerting/rule.ts'
import type { StoredContributor } from '../database/alert-tables.ts'
import type { EntityFiguresRow } from '../facts/entity-figures.ts'

type Parts = {
  metric: AlertMetric
  /** Of the whole: parts that went the other way had no part in it. */
  change: number
  scale: number
  kind: StoredContributor['entity']['kind']
  /** Sums over the current window, and over the one it is compared with. */
  rows: readonly EntityFiguresRow[]
}

/** What went along with a change, the parts that made most of it first. A mean is moved by those that are shown often. */
export function mostMoved({ metric, change, scale, kind, rows }: Parts, most: number): StoredContributor[] {
  const isSum = metric === 'clicks' || metric === 'impressions'
  return rows
    .flatMap((row) => {
      const [now, before] = [sumsOf(row, 0), sumsOf(row, 1)]
      const current = figureOf(metric, now)
      const previous = figureOf(metric, before, scale)
      if (current === null || previous === null) return []
      const weight = isSum ? 1 : now.impressions + before.impressions * scale
      const moved = gainOf(metric, current - previous) * Math.sign(gainOf(metric, change)) * weight
      return [{ entity: { kind, name: row.name }, current, previous, change: changeOf(metric, previous, current), moved }]
    })
    .filter(({ moved }) => moved > 0)
    .toSorted((a, b) => b.moved - a.moved)
    .slice(0, most)
    .map(({ moved: _moved, ...part }) => part)
}

const sumsOf = (row: EntityFiguresRow, at: number): Sums => ({
  clicks: row.clicks[at] ?? 0,
  impressions: row.impressions[at] ?? 0,
  positionSum: row.positionSum[at] ?? 0,
  rankedImpressions: row.rankedImpressions[at] ?? 0,
})
