import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import type { ChangeBreakdown, ChangePart } from '../../../contract/alerts/change-breakdown.ts'
import { partNames } from '../../../core/alerting/why.ts'
import { isComparable } from '../../../core/analytics/anomalies.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { type Dimension, DriversCard, nameRow, type Row, sentenceCase } from './DriversCard.tsx'

type Item = ChangeBreakdown['by'][number]['items'][number]

/** What drove the change: its parts, and a breakdown by dimension; renders nothing if unknown. */
export function Breakdown({ report }: { report: AlertReport }) {
  const { breakdown, current, previous, type } = report
  if (breakdown === undefined || current === null || previous === null) return null
  const by = breakdown.by.filter(({ items }) => items.length > 0)
  if (breakdown.parts === null && by.length === 0) return null
  const change = breakdown.current - breakdown.previous
  const total = `${signed(change)} ${type}, ${formatPeriod(current, true)} compared with ${formatPeriod(previous, true)}.`
  return (
    <DriversCard
      description={total}
      unit={type === 'impressions' ? 'Impressions' : 'Clicks'}
      causes={breakdown.parts === null ? null : { rows: partRows(breakdown.parts), of: change }}
      noCauses={<NoParts report={report} />}
      by={by.map(({ dimension, items }) => ({ dimension, rows: items.map((item) => itemRow(dimension, item)), of: change }))}
    />
  )
}

/** Largest first; omits parts that round to zero. */
const partRows = (parts: NonNullable<ChangeBreakdown['parts']>): Row[] =>
  (Object.entries(parts) as [ChangePart, number][])
    .filter(([, moved]) => Math.round(moved) !== 0)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([part, moved]) => ({
      key: part,
      name: sentenceCase(partNames[part][moved < 0 ? 0 : 1]),
      isCopied: false,
      moved,
      said: signed(moved),
      span: null,
    }))

function itemRow(dimension: Dimension, { name, previous, current }: Item): Row {
  const count = (value: number) => formatMetric('clicks', Math.round(value))
  const moved = current - previous
  return { key: name, ...nameRow(dimension, name), moved, said: signed(moved), span: `${count(previous)} → ${count(current)}` }
}

/** Why clicks aren't split by cause. */
function NoParts({ report: { type, current, previous } }: { report: AlertReport }) {
  if (type !== 'clicks' || current === null || previous === null) return null
  const isAlike = (['impressions', 'position'] as const).every((metric) => isComparable(metric, current, previous))
  return (
    <p className="text-sm text-muted">
      {isAlike
        ? "Keyword data is missing for some of these days, so the change can't be broken down by cause."
        : "Google changed how it counts impressions and position between these periods, so the change can't be broken down by cause."}
    </p>
  )
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'exceptZero' })
const signed = (value: number): string => whole.format(value).replace('-', '−')
