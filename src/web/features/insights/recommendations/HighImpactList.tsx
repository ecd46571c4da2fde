import type { Range } from '../../../../contract/analytics.ts'
import type { Opportunity } from '../../../../contract/keywords.ts'
import { formatCount, formatPosition } from '../../../lib/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { SectionCard } from '../../../ui/Card.tsx'
import { keywordAddress } from '../../../widgets/analytics/drill-down.ts'
import { CutLink } from '../CutLink.tsx'
import { listed, NothingListed } from './TopList.tsx'

/** The keywords with most to gain. */
export function HighImpactList({ keywords, days }: { keywords: readonly Opportunity[]; days: Range }) {
  return (
    <SectionCard title="High Impact Opportunities" description="Estimated extra clicks a week if the keyword reached position 3.">
      {keywords.length === 0 ? (
        <NothingListed>No keyword has a score of 15 or more in this period.</NothingListed>
      ) : (
        <ul aria-label="High Impact Opportunities" className={listed.list}>
          {keywords.slice(0, listed.most).map(({ query, position, impressions, opportunityScore }) => (
            <li key={query} className={listed.row}>
              <div className="min-w-0 flex-1">
                <CutLink to={keywordAddress(query, days)} full={query} />
                <p className={listed.figures}>
                  <span>Position {formatPosition(position)}</span> <span>{formatCount(impressions)} impressions</span>
                </p>
              </div>
              <Badge tone="brand">Score {opportunityScore.toFixed(1)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}
