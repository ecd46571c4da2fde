import { type ReactNode, useId } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ListCoverage } from '../../widgets/analytics/coverage/ListCoverage.tsx'
import { countedAmong } from './copy.ts'
import { insightFigures } from './insight-figures.ts'
import type { InsightsTabProps } from './insights-tab.ts'

/** The four cards (SPEC §2), with the rows they count. */
export function InsightCards({ lists, summary, isOfSegment }: Pick<InsightsTabProps, 'lists' | 'summary'> & { isOfSegment: boolean }) {
  const figures = insightFigures(lists)
  const clicks = lists.pages.reduce((sum, page) => sum + page.clicks, 0)
  return (
    <>
      <Grid>
        <FigureCard label="Optimization Opportunities" figure={formatCount(figures.opportunities)}>
          keywords with a score of 15 or more
        </FigureCard>
        <FigureCard label="Pages Needing Optimization" figure={formatCount(figures.needingOptimization)}>
          over 100 impressions, CTR below 2%
        </FigureCard>
        <FigureCard label="High Performing Pages" figure={formatCount(figures.highPerforming)}>
          CTR of 5% or more
        </FigureCard>
        <FigureCard label="Potential Impact Score" figure={formatCount(figures.potentialImpact)}>
          estimated extra clicks a week
        </FigureCard>
      </Grid>
      <div className="mt-3 min-h-25 lg:min-h-15">
        {summary === null ? (
          <p className="text-sm text-muted">
            Google has no complete days for this property yet. Your metrics will appear after the first one.
          </p>
        ) : (
          <>
            <p className="text-sm text-muted tabular-nums">{countedAmong(lists, isOfSegment)}</p>
            <ListCoverage summary={summary} what="pages" shown={{ rows: lists.pages.length, clicks }} />
          </>
        )}
      </div>
    </>
  )
}

type FigureCardProps = { label: string; figure: string; children: ReactNode }

export function FigureCard({ label, figure, children }: FigureCardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card className="h-full max-sm:p-4">
        <h2 id={id} className="font-medium text-muted">
          {label}
        </h2>
        <p className="mt-2 text-figure font-semibold tracking-tight tabular-nums">{figure}</p>
        <p className="mt-1 min-h-4 text-xs text-muted">{children}</p>
      </Card>
    </section>
  )
}

/** The size of the cards, so that nothing moves when the figures arrive. */
export function InsightCardsLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading insights</output>
      <Grid>
        {Array.from({ length: 4 }, (_, index) => (
          <Card key={index} className="max-sm:p-4">
            <Skeleton className="h-10 max-w-40 sm:h-5" />
            <Skeleton className="mt-2 h-8.5 w-20" />
            <Skeleton className="mt-1 h-8 max-w-44 sm:h-4" />
          </Card>
        ))}
      </Grid>
      <div className="mt-3 min-h-25 lg:min-h-15">
        <Skeleton className="h-4 w-full max-w-xl" />
      </div>
    </div>
  )
}

function Grid({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4 xl:gap-5">{children}</div>
}
