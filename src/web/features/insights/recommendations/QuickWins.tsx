import type { Range } from '../../../../contract/analytics.ts'
import type { Page } from '../../../../contract/pages.ts'
import { formatCount } from '../../../lib/format.ts'
import { pagePath } from '../../../lib/page-path.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { SectionCard } from '../../../ui/Card.tsx'
import { pageAddress } from '../../../widgets/analytics/drill-down.ts'
import { CutLink } from '../CutLink.tsx'
import { listed, NothingListed } from './TopList.tsx'

/** The pages that are shown most of those that are clicked seldom. */
export function QuickWins({ pages, days }: { pages: readonly Page[]; days: Range }) {
  return (
    <SectionCard title="Quick Wins" description="Pages with over 100 impressions and a CTR below 2%.">
      {pages.length === 0 ? (
        <NothingListed>No page with over 100 impressions has a CTR below 2% in this period.</NothingListed>
      ) : (
        <ul aria-label="Quick Wins" className={listed.list}>
          {pages.slice(0, listed.most).map(({ page, impressions, ctr }) => (
            <li key={page} className={listed.row}>
              <div className="min-w-0 flex-1">
                <CutLink to={pageAddress(page, days)} full={page} text={pagePath(page)} />
                <p className={listed.figures}>
                  <span>{formatCount(impressions)} impressions</span> <span>CTR {ctr}%</span>
                </p>
              </div>
              <Badge tone="warning">Optimize Meta</Badge>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}
