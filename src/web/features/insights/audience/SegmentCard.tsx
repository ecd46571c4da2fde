import { useState } from 'react'
import type { Segments } from '../../../../contract/analytics.ts'
import { formatCount } from '../../../lib/format.ts'
import { metricLabels, metricNames, type MetricName } from '../../../lib/metric.ts'
import { Button } from '../../../ui/Button.tsx'
import { SectionCard } from '../../../ui/Card.tsx'
import { ComparedFigure } from '../../../widgets/analytics/ComparedFigure.tsx'
import { type FiguresColumn, FiguresTable } from '../../../widgets/analytics/FiguresTable.tsx'

type Segment = Segments[number]

type SegmentCardProps = {
  title: string
  heading: string
  rows: Segments
  nameOf: (name: string) => string
  /** Whether there is anything to compare with. */
  isCompared: boolean
}

/** Rows that are there from the beginning. */
const first = 10

/** The figures of each device or country, beside those of the period before. */
export function SegmentCard({ title, heading, rows, nameOf, isCompared }: SegmentCardProps) {
  const [isOpen, setOpen] = useState(false)
  if (rows.length === 0) return null
  return (
    <SectionCard title={title}>
      <FiguresTable
        caption={title}
        rows={isOpen ? rows : rows.slice(0, first)}
        keyOf={keyOf}
        name={{ label: heading, cell: nameCell(nameOf) }}
        columns={metricNames.map((metric) => figureColumn(metric, isCompared))}
      />
      {rows.length > first && (
        <Button className="mt-4" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? `Show first ${first}` : `Show all ${formatCount(rows.length)}`}
        </Button>
      )}
    </SectionCard>
  )
}

const keyOf = ({ name }: Segment): string => name

const nameCell = (nameOf: (name: string) => string) => (row: Segment) => <span className="font-medium">{nameOf(row.name)}</span>

const figureColumn = (metric: MetricName, isCompared: boolean): FiguresColumn<Segment> => ({
  id: metric,
  label: metricLabels[metric],
  width: 'w-42',
  cell: (row) => <ComparedFigure metric={metric} now={row[metric]} before={isCompared ? (row.previous?.[metric] ?? null) : undefined} />,
})
