import { useId } from 'react'
import { formatCount, formatCtr, formatPosition } from '../../lib/format.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { cardFigures } from './page-figures.ts'

type PageCardsProps = {
  /** Undefined while they are on their way. */
  figures: ReturnType<typeof cardFigures> | undefined
  failed: boolean
  outdated: boolean
}

/** The pages that were listed, as four figures (SPEC §2). */
export function PageCards({ figures, failed, outdated }: PageCardsProps) {
  const cards = [
    { label: 'Total Pages', value: figures && formatCount(figures.pages) },
    { label: 'Total Clicks', value: figures && formatCount(figures.clicks) },
    { label: 'Avg CTR', value: figures && formatCtr(figures.ctr) },
    { label: 'Avg Position', value: figures && formatPosition(figures.position) },
  ]
  return (
    <Dimmed when={outdated || (figures === undefined && !failed)}>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4 xl:gap-5">
        {cards.map(({ label, value }) => (
          <FigureCard key={label} label={label} value={failed ? '–' : value} />
        ))}
      </div>
    </Dimmed>
  )
}

function FigureCard({ label, value }: { label: string; value: string | undefined }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card className="p-4!">
        <h2 id={id} className="font-medium text-muted">
          {label}
        </h2>
        {value === undefined ? (
          <Skeleton className="mt-1 h-8.5 w-24" />
        ) : (
          <p className="mt-1 text-figure font-semibold tracking-tight tabular-nums">{value}</p>
        )}
      </Card>
    </section>
  )
}
