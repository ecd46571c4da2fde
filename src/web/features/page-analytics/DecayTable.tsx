import type { Period } from '../../../contract/metrics.ts'
import type { Decay } from '../../../contract/pages.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { type FiguresColumn, FiguresTable } from '../../widgets/analytics/FiguresTable.tsx'
import { barHeights, lossOf } from './decay-words.ts'

type Row = Decay['pages'][number]
type DecayTableProps = { periods: readonly Period[]; pages: readonly Row[] }

/** Room for the name of a page beside six columns and the sidebar. */
const wide = '(width >= 80rem)'

/** The clicks of each page in the four periods, drawn and in figures. */
export function DecayTable({ periods, pages }: DecayTableProps) {
  return (
    <FiguresTable
      caption="Content decay"
      rows={pages}
      keyOf={({ page }) => page}
      name={pageColumn}
      columns={columnsOf(periods)}
      wide={wide}
    />
  )
}

const pageColumn = { label: 'Page', cell: ({ page }: Row) => <DetailLink kind="page" name={page} /> }

const columnsOf = (periods: readonly Period[]): readonly FiguresColumn<Row>[] => [
  { id: 'trend', label: 'Trend', width: 'w-22', cell: ({ clicks }) => <Bars values={clicks} /> },
  ...periods.map((period, index): FiguresColumn<Row> => ({
    id: period.start,
    label: formatPeriod(period),
    width: 'w-24',
    cell: ({ clicks }) => formatCount(clicks[index] ?? 0),
  })),
  { id: 'lost', label: 'Lost clicks', width: 'w-28', cell: ({ clicks }) => <Loss clicks={clicks} /> },
]

function Loss({ clicks }: { clicks: readonly number[] }) {
  const { lost, share } = lossOf(clicks)
  return (
    <span className="inline-flex flex-col items-end gap-0.5 tabular-nums in-[dd]:items-start">
      <span className="font-semibold">{formatCount(lost)}</span>
      <span className="text-xs text-muted">down {Math.round(share * 100)}%</span>
    </span>
  )
}

const barWidth = 14
const gap = 4
const height = 32

/** Falling bars, from zero; the figures stand beside them. */
function Bars({ values }: { values: readonly number[] }) {
  const width = values.length * (barWidth + gap) - gap
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden className="inline-block">
      {barHeights(values).map((share, index) => {
        // Never so flat that it could not be seen.
        const tall = Math.max(1, share * height)
        return (
          <rect
            // The periods keep their order.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            x={index * (barWidth + gap)}
            y={height - tall}
            width={barWidth}
            height={tall}
            rx={1}
            className={index === values.length - 1 ? 'fill-brand' : 'fill-brand/40'}
          />
        )
      })}
    </svg>
  )
}
