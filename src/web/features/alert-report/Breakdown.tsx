import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import type { ChangeBreakdown, ChangePart } from '../../../contract/alerts/change-breakdown.ts'
import { partNames } from '../../../core/alerting/why.ts'
import { isComparable } from '../../../core/analytics/anomalies.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { CopyableName } from './CopyableName.tsx'

type Dimension = ChangeBreakdown['by'][number]['dimension']
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
    <SectionCard title="What drove the change" description={total}>
      <div className="grid grid-cols-1 gap-6">
        {breakdown.parts === null ? (
          <NoParts report={report} />
        ) : (
          <Rows caption="By cause" heading="Cause" unit={unitOf(type)} rows={partRows(breakdown.parts)} of={change} />
        )}
        {by[0] !== undefined && (
          <Tabs
            label="Change by dimension"
            initial={by[0].dimension}
            tabs={by.map(({ dimension, items }) => ({
              value: dimension,
              label: dimensions[dimension],
              content: (
                <Rows
                  caption={dimensions[dimension]}
                  heading={one[dimension]}
                  unit={unitOf(type)}
                  rows={items.map((item) => itemRow(dimension, item))}
                  of={change}
                />
              ),
            }))}
          />
        )}
      </div>
    </SectionCard>
  )
}

const dimensions: Record<Dimension, string> = {
  page: 'Pages',
  query: 'Keywords',
  device: 'Devices',
  country: 'Countries',
  brand: 'Brand',
}
const one: Record<Dimension, string> = { page: 'Page', query: 'Keyword', device: 'Device', country: 'Country', brand: 'Keywords' }

const unitOf = (type: AlertReport['type']) => (type === 'impressions' ? 'Impressions' : 'Clicks')

type Row = { key: string; name: string; isCopied: boolean; moved: number; span: string | null }

/** Largest first; omits parts that round to zero. */
const partRows = (parts: NonNullable<ChangeBreakdown['parts']>): Row[] =>
  (Object.entries(parts) as [ChangePart, number][])
    .filter(([, moved]) => Math.round(moved) !== 0)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([part, moved]) => ({ key: part, name: sentenceCase(partNames[part][moved < 0 ? 0 : 1]), isCopied: false, moved, span: null }))

function itemRow(dimension: Dimension, { name, previous, current }: Item): Row {
  const count = (value: number) => formatMetric('clicks', Math.round(value))
  const row = { key: name, moved: current - previous, span: `${count(previous)} → ${count(current)}` }
  switch (dimension) {
    case 'page':
    case 'query':
      return { ...row, name, isCopied: true }
    case 'device':
      return { ...row, name: sentenceCase(name.toLowerCase()), isCopied: false }
    case 'country':
      return { ...row, name: countryName(name), isCopied: false }
    case 'brand':
      return { ...row, name: name === 'brand' ? 'Brand keywords' : 'Non-brand keywords', isCopied: false }
  }
}

type RowsProps = { caption: string; heading: string; unit: string; rows: readonly Row[]; of: number }

/** Bars extend left for losses and right for gains. */
function Rows({ caption, heading, unit, rows, of }: RowsProps) {
  const most = Math.max(Math.abs(of), ...rows.map(({ moved }) => Math.abs(moved)))
  return (
    <table className="w-full table-fixed text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-2 pr-4 text-left font-medium">
            {heading}
          </th>
          <th scope="col" className="w-1/4 max-sm:w-px">
            <span className="sr-only">Share of the change</span>
          </th>
          <th scope="col" className="w-28 py-2 pl-4 text-right font-medium sm:w-40">
            {unit}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, isCopied, moved, span }) => (
          <tr key={key} className="border-b border-line last:border-0">
            <th scope="row" className="py-1 pr-4 text-left font-normal wrap-anywhere">
              {isCopied ? <CopyableName name={name} /> : <span className="flex min-h-10 items-center">{name}</span>}
            </th>
            <td>
              <Bar share={most === 0 ? 0 : moved / most} />
              <span className="sr-only">{of === 0 ? '–' : percent.format(moved / of)}</span>
            </td>
            <td className="py-1 pl-4 text-right">
              <span className="font-semibold">{signed(moved)}</span>
              {span !== null && <span className="block text-muted">{span}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Not on a phone: there, the name needs its room. */
function Bar({ share }: { share: number }) {
  const width = `${Math.max(1, Math.abs(share) * 50)}%`
  return (
    <div aria-hidden className="relative h-3 max-sm:hidden">
      <div className="absolute inset-y-0 left-1/2 w-px bg-line-control" />
      <div
        className={share < 0 ? 'absolute inset-y-0 right-1/2 rounded-l-sm bg-muted' : 'absolute inset-y-0 left-1/2 rounded-r-sm bg-brand'}
        style={{ width }}
      />
    </div>
  )
}

/** Why clicks aren't split by cause. */
function NoParts({ report: { type, current, previous } }: { report: AlertReport }) {
  if (type !== 'clicks' || current === null || previous === null) return null
  const isAlike = (['impressions', 'position'] as const).every((metric) => isComparable(metric, current, previous))
  return (
    <p className="text-sm text-muted">
      {isAlike
        ? 'Keyword data is missing for some of these days, so the change can’t be broken down by cause.'
        : 'Google changed how it counts impressions and position between these periods, so the change can’t be broken down by cause.'}
    </p>
  )
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'exceptZero' })
const signed = (value: number): string => whole.format(value).replace('-', '−')
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })
const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
