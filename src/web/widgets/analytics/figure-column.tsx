import type { RowFigures } from '../../../contract/figures.ts'
import { knownFigure, type MetricName, metricLabels } from '../../lib/metric.ts'
import type { DataColumn } from '../table/columns.ts'
import { ComparedFigure } from './ComparedFigure.tsx'

/** Room for a figure, its previous value and its change on one line; and without the previous value. */
const comparedWidths: Record<MetricName, number> = { clicks: 132, impressions: 152, ctr: 144, position: 128 }
const narrowWidths: Record<MetricName, number> = { clicks: 80, impressions: 100, ctr: 80, position: 88 }
/** What a longer label than the metric's takes. */
const pixelsOfLetter = 8

type FigureColumn<Row> = {
  metric: MetricName
  label?: string | undefined
  now: (row: Row) => RowFigures
  /** Null if the row wasn't shown then. Without it, nothing is compared. */
  before?: ((row: Row) => RowFigures | null) | undefined
  /** The search appearance that a row has figures of. */
  appearanceOf?: ((row: Row) => string) | undefined
  /** Whether it is as wide as if it were compared. */
  keepsRoom?: boolean
  isCompact?: boolean
}

/** A metric's column, compared if there is something to compare with. */
export function figureColumn<Row>({ metric, now, before, ...given }: FigureColumn<Row>): DataColumn<Row> {
  const { label = metricLabels[metric], isCompact = metric === 'clicks' || metric === 'position', keepsRoom = before !== undefined } = given
  const longer = (label.length - metricLabels[metric].length) * pixelsOfLetter
  return {
    id: metric,
    label,
    width: (keepsRoom ? comparedWidths : narrowWidths)[metric] + longer,
    // A longer label wraps.
    narrow: narrowWidths[metric],
    // The best position is the smallest.
    first: metric === 'position' ? 'asc' : 'desc',
    isCompact,
    value: (row) => knownFigure(metric, now(row)),
    ...(before && { change: (row: Row) => gained(metric, now(row), before(row)) }),
    cell: (row) => (
      <ComparedFigure metric={metric} now={knownFigure(metric, now(row))} before={before?.(row)} appearance={given.appearanceOf?.(row)} />
    ),
  }
}

/** How much better a figure is than before; null if either is unknown. */
function gained(metric: MetricName, now: RowFigures, before: RowFigures | null): number | null {
  const [to, from] = [knownFigure(metric, now), before && knownFigure(metric, before)]
  if (to === null || from === null) return null
  return metric === 'position' ? from - to : to - from
}
