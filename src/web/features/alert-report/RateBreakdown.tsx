import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import type { RateBreakdown as Parts } from '../../../contract/alerts/rate-breakdown.ts'
import { changeText } from '../../../core/alerting/copy.ts'
import { gainOf } from '../../../core/alerting/figures.ts'
import { rateMoved, ratePartsNamed } from '../../../core/alerting/rate-why.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { DriversCard, nameRow, percent, type Row, sentenceCase } from './DriversCard.tsx'

type Metric = 'ctr' | 'position'
type Split = Parts['by'][number]

/** What drove a change in CTR or position: its causes, and the parts by dimension; renders nothing if unknown. */
export function RateBreakdown({ report }: { report: AlertReport }) {
  const { rateBreakdown, current, previous, type } = report
  if (rateBreakdown === undefined || current === null || previous === null || (type !== 'ctr' && type !== 'position')) return null
  const causes = ratePartsNamed(
    type,
    rateBreakdown.by.find(({ dimension }) => dimension === 'query'),
  )
  // A query is no part of itself.
  const by = rateBreakdown.by.filter(
    ({ dimension, items }) => items.length > 0 && !(report.entity.kind === 'query' && dimension === 'query'),
  )
  if (causes.length === 0 && by.length === 0) return null
  const change = rateBreakdown.current - rateBreakdown.previous
  const days = `${formatPeriod(current, true)} compared with ${formatPeriod(previous, true)}`
  return (
    <DriversCard
      description={`${moved(type, change)}, ${days}.`}
      unit={units[type]}
      causes={causes.length === 0 ? null : { rows: causeRows(type, causes), of: gainOf(type, change) }}
      by={by.map((split) => ({
        dimension: split.dimension,
        rows: split.items.map((item) => itemRow(type, split.dimension, item)),
        of: gainOf(type, split.current - split.previous),
        note: <OtherChange metric={type} split={split} whole={rateBreakdown} />,
      }))}
    />
  )
}

/** If a split's parts add up to a change other than the whole one. */
function OtherChange({ metric, split: { current, previous }, whole }: { metric: Metric; split: Split; whole: Parts }) {
  const isOther = Math.abs(current - whole.current) > 1e-9 || Math.abs(previous - whole.previous) > 1e-9
  if (!isOther) return null
  return (
    <p className="mb-3 text-sm text-muted">
      Google counts one impression for each page shown, so page figures add up to a different change:{' '}
      {`${formatMetric(metric, previous)} → ${formatMetric(metric, current)}`}.
    </p>
  )
}

const units: Record<Metric, string> = { ctr: 'CTR', position: 'Position' }

const moved = (metric: Metric, change: number): string =>
  metric === 'ctr' ? `CTR ${rateMoved(metric, change)}` : rateMoved(metric, change)

/** In a column named after the metric. */
const shortly = (metric: Metric, change: number): string => (metric === 'ctr' ? rateMoved(metric, change) : changeText(metric, change))

/** Largest first. */
const causeRows = (metric: Metric, causes: readonly { name: string; moved: number }[]): Row[] =>
  causes
    .toSorted((a, b) => Math.abs(b.moved) - Math.abs(a.moved))
    .map(({ name, moved: size }) => ({
      key: name,
      name: sentenceCase(name),
      isCopied: false,
      moved: gainOf(metric, size),
      said: shortly(metric, size),
      span: null,
    }))

/** Its own figure before and now, and how large a part of the impressions it had. */
function itemRow(metric: Metric, dimension: Split['dimension'], item: Split['items'][number]): Row {
  const { name, previous, current, previousShare, currentShare, rate, mix } = item
  const value = (figure: number | null) => (figure === null ? '–' : formatMetric(metric, figure))
  return {
    key: name,
    ...nameRow(dimension, name),
    moved: gainOf(metric, rate + mix),
    said: shortly(metric, rate + mix),
    span: `${value(previous)} → ${value(current)}`,
    share: `${percent.format(previousShare)} → ${percent.format(currentShare)}`,
  }
}
