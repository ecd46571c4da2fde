import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import type { RateBreakdown as Parts } from '../../../contract/alerts/rate-breakdown.ts'
import { changeText } from '../../../core/alerting/copy.ts'
import { gainOf } from '../../../core/alerting/figures.ts'
import { rateMoved, ratePartsNamed } from '../../../core/alerting/rate-why.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { dimensions, nameRow, one, type Row, Rows, sentenceCase } from './PartRows.tsx'

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
    <SectionCard title="What drove the change" description={`${moved(type, change)}, ${days}.`}>
      <div className="grid grid-cols-1 gap-6">
        {causes.length > 0 && (
          <Rows
            caption="By cause"
            heading="Cause"
            unit={units[type]}
            rows={causes.toSorted((a, b) => Math.abs(b.moved) - Math.abs(a.moved)).map((cause) => causeRow(type, cause))}
            of={gainOf(type, change)}
          />
        )}
        {by[0] !== undefined && (
          <Tabs
            label="Change by dimension"
            initial={by[0].dimension}
            tabs={by.map((split) => ({
              value: split.dimension,
              label: dimensions[split.dimension],
              content: <Items metric={type} split={split} whole={rateBreakdown} />,
            }))}
          />
        )}
      </div>
    </SectionCard>
  )
}

function Items({ metric, split, whole }: { metric: Metric; split: Split; whole: Parts }) {
  const { dimension, items, current, previous } = split
  const isOther = Math.abs(current - whole.current) > 1e-9 || Math.abs(previous - whole.previous) > 1e-9
  return (
    <>
      {isOther && (
        <p className="mb-3 text-sm text-muted">
          Google counts one impression for each page shown, so page figures add up to a different change:{' '}
          {`${formatMetric(metric, previous)} → ${formatMetric(metric, current)}`}.
        </p>
      )}
      <Rows
        caption={dimensions[dimension]}
        heading={one[dimension]}
        unit={units[metric]}
        rows={items.map((item) => itemRow(metric, dimension, item))}
        of={gainOf(metric, current - previous)}
      />
    </>
  )
}

const units: Record<Metric, string> = { ctr: 'CTR', position: 'Position' }

const moved = (metric: Metric, change: number): string =>
  metric === 'ctr' ? `CTR ${rateMoved(metric, change)}` : rateMoved(metric, change)

/** In a column named after the metric. */
const shortly = (metric: Metric, change: number): string => (metric === 'ctr' ? rateMoved(metric, change) : changeText(metric, change))

const causeRow = (metric: Metric, { name, moved: size }: { name: string; moved: number }): Row => ({
  key: name,
  name: sentenceCase(name),
  isCopied: false,
  moved: gainOf(metric, size),
  said: shortly(metric, size),
  span: null,
})

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

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })
