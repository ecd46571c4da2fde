import { changeOf, figureOf, gainOf, type Sums } from '../../../core/alerting/figures.ts'
import type { AlertMetric } from '../../../core/alerting/rule.ts'
import type { StoredContributor } from '../../database/alert-tables.ts'
import type { EntityFiguresRow } from '../../facts/questions/entity-figures.ts'

type Parts = {
  metric: AlertMetric
  scale: number
  kind: StoredContributor['entity']['kind']
  /** Sums over the current window, and over the one it is compared with. */
  rows: readonly EntityFiguresRow[]
}

/**
 * The parts that moved in the same direction as a change, largest contribution first; parts that moved the other way are left out. Of `change` only the sign counts. Averages
 * are moved most by parts with many impressions.
 */
export function mostMoved(parts: Parts & { change: number }, most: number): StoredContributor[] {
  const { metric, change } = parts
  const isSum = metric === 'clicks' || metric === 'impressions'
  return compared(parts)
    .flatMap(({ impressions, ...part }) => {
      const { current, previous } = part
      if (current === null || previous === null) return []
      const moved = gainOf(metric, current - previous) * Math.sign(gainOf(metric, change)) * (isSum ? 1 : impressions)
      return moved > 0 ? [{ part, moved }] : []
    })
    .toSorted((a, b) => b.moved - a.moved)
    .slice(0, most)
    .map(({ part }) => part)
}

/** The parts of something new or lost, most impressions first. */
export function cameOrWent(parts: Parts & Pick<StoredContributor, 'current' | 'previous'>, most: number): StoredContributor[] {
  return compared(parts)
    .filter(({ current, previous }) => (current === null) === (parts.current === null) && (previous === null) === (parts.previous === null))
    .toSorted((a, b) => b.impressions - a.impressions)
    .slice(0, most)
    .map(({ impressions: _impressions, ...part }) => part)
}

function compared({ metric, scale, kind, rows }: Parts): (StoredContributor & { impressions: number })[] {
  return rows.map((row) => {
    const [now, before] = [sumsOf(row, 0), sumsOf(row, 1)]
    const current = figureOf(metric, now)
    const previous = figureOf(metric, before, scale)
    const change = current === null || previous === null ? null : changeOf(metric, previous, current)
    return { entity: { kind, name: row.name }, current, previous, change, impressions: now.impressions + before.impressions * scale }
  })
}

const sumsOf = (row: EntityFiguresRow, at: number): Sums => ({
  clicks: row.clicks[at] ?? 0,
  impressions: row.impressions[at] ?? 0,
  positionSum: row.positionSum[at] ?? 0,
  rankedImpressions: row.rankedImpressions[at] ?? 0,
})
