import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { ChangeBreakdown } from '../../../contract/alerts/change-breakdown.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { CopyableName } from './CopyableName.tsx'

export type Dimension = ChangeBreakdown['by'][number]['dimension']

const dimensions: Record<Dimension, string> = {
  page: 'Pages',
  query: 'Keywords',
  device: 'Devices',
  country: 'Countries',
  brand: 'Brand',
}
const one: Record<Dimension, string> = { page: 'Page', query: 'Keyword', device: 'Device', country: 'Country', brand: 'Keywords' }

/** A part of a change: how much it moved, as a number and as text, its figures before and now, and its shares of the impressions. */
export type Row = { key: string; name: string; isCopied: boolean; moved: number; said: string; span: string | null; share?: string }

/** Parts, and the change they add up to. */
type Parts = { rows: readonly Row[]; of: number }

type DriversCardProps = {
  /** The change, and the periods it is between. */
  description: string
  /** What the figures measure. */
  unit: string
  /** Null if unknown. */
  causes: Parts | null
  /** Why the causes are unknown. */
  noCauses?: ReactNode
  by: readonly (Parts & { dimension: Dimension; note?: ReactNode })[]
}

/** What drove a change: its causes, and its parts by dimension. */
export function DriversCard({ description, unit, causes, noCauses, by }: DriversCardProps) {
  return (
    <SectionCard title="What drove the change" description={description}>
      <div className="grid grid-cols-1 gap-6">
        {causes === null ? noCauses : <Rows caption="By cause" heading="Cause" unit={unit} {...causes} />}
        {by[0] !== undefined && (
          <Tabs
            label="Change by dimension"
            initial={by[0].dimension}
            tabs={by.map(({ dimension, note, ...parts }) => ({
              value: dimension,
              label: dimensions[dimension],
              content: (
                <>
                  {note}
                  <Rows caption={dimensions[dimension]} heading={one[dimension]} unit={unit} {...parts} />
                </>
              ),
            }))}
          />
        )}
      </div>
    </SectionCard>
  )
}

/** A part's name as a row shows it. */
export function nameRow(dimension: Dimension, name: string): Pick<Row, 'name' | 'isCopied'> {
  switch (dimension) {
    case 'page':
    case 'query':
      return { name, isCopied: true }
    case 'device':
      return { name: sentenceCase(name.toLowerCase()), isCopied: false }
    case 'country':
      return { name: countryName(name), isCopied: false }
    case 'brand':
      return { name: name === 'brand' ? 'Brand keywords' : 'Non-brand keywords', isCopied: false }
  }
}

type RowsProps = Parts & { caption: string; heading: string; unit: string }

/** Bars extend left for losses and right for gains. */
function Rows({ caption, heading, unit, rows, of }: RowsProps) {
  const hasShares = rows.some(({ share }) => share !== undefined)
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
          <th scope="col" className={clsx('py-2 pl-4 text-right font-medium', hasShares ? 'w-36 sm:w-56' : 'w-28 sm:w-40')}>
            {unit}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, isCopied, moved, said, span, share }) => (
          <tr key={key} className="border-b border-line last:border-0">
            <th scope="row" className="py-1 pr-4 text-left font-normal wrap-anywhere">
              {isCopied ? <CopyableName name={name} /> : <span className="flex min-h-10 items-center">{name}</span>}
            </th>
            <td>
              <Bar share={most === 0 ? 0 : moved / most} />
              <span className="sr-only">{of === 0 ? '–' : percent.format(moved / of)}</span>
            </td>
            <td className="py-1 pl-4 text-right">
              <span className="font-semibold">{said}</span>
              {span !== null && <span className="block whitespace-nowrap text-muted">{span}</span>}
              {share !== undefined && (
                <span className="block whitespace-nowrap text-muted">
                  <span className="sm:hidden">Share </span>
                  {share}
                  <span className="max-sm:hidden"> of impressions</span>
                </span>
              )}
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

export const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
