import { clsx } from 'clsx'
import { formatShare } from '../../lib/format.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { ShareBar } from '../../ui/ShareBar.tsx'
import { ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { type FiguresColumn, FiguresTable } from '../../widgets/analytics/FiguresTable.tsx'
import type { BrandRow } from './brand.ts'

const names: Record<BrandRow['side'], { label: string; hint: string; mark: string }> = {
  brand: { label: 'Brand', hint: 'Keywords with a brand term', mark: 'border-brand' },
  nonBrand: { label: 'Non-brand', hint: 'All other keywords', mark: 'border-dashed border-muted' },
  hidden: { label: 'Anonymized', hint: 'Can’t be classified', mark: 'border-transparent' },
}

export function BrandTable({ rows }: { rows: readonly BrandRow[] }) {
  return (
    <FiguresTable
      caption="Brand and non-brand keywords"
      rows={rows}
      keyOf={({ side }) => side}
      name={name}
      columns={columns}
      wide="(width >= 80rem)"
    />
  )
}

const name = { label: 'Keywords', cell: ({ side }: BrandRow) => <Name side={side} /> }

/** With the line that stands for it in the chart. */
function Name({ side }: { side: BrandRow['side'] }) {
  const { label, hint, mark } = names[side]
  return (
    <span className="flex flex-col">
      <span className="flex items-center gap-2 font-medium whitespace-nowrap">
        <span aria-hidden className={clsx('w-5 border-t-2', mark)} />
        {label}
      </span>
      <span className="pl-7 text-muted">{hint}</span>
    </span>
  )
}

const figure = (metric: MetricName, width: string): FiguresColumn<BrandRow> => ({
  id: metric,
  label: metricLabels[metric],
  width,
  cell({ side, now, before }) {
    // Where hidden queries stood is not known, now or then.
    const isKnown = side !== 'hidden' || metric !== 'position'
    return <ComparedFigure metric={metric} now={now[metric]} before={isKnown ? before?.[metric] : undefined} />
  },
})

const share = (of: 'clicks' | 'impressions', width: string): FiguresColumn<BrandRow> => ({
  id: `${of} share`,
  label: `Share of ${of}`,
  width,
  cell: (row) => (
    <span className="flex items-center justify-end gap-2.5 in-[dd]:flex-row-reverse">
      <ShareBar share={row.share[of]} className="w-10" />
      <span className="w-9 in-[dd]:text-left">{formatShare(row.share[of])}</span>
    </span>
  ),
})

const columns: readonly FiguresColumn<BrandRow>[] = [
  figure('clicks', 'w-32'),
  share('clicks', 'w-30'),
  figure('impressions', 'w-33'),
  share('impressions', 'w-37'),
  figure('ctr', 'w-31'),
  figure('position', 'w-34'),
]
