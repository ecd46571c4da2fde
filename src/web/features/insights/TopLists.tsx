import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Opportunity } from '../../../contract/keywords.ts'
import type { Page } from '../../../contract/pages.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { cutAfter, formatCount, formatPosition } from '../../lib/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'
import { type DrilledFrom, keywordAddress, pageAddress } from '../../widgets/analytics/drill-down.ts'

/** The pages with the most impressions among those with few clicks. */
export function QuickWins({ pages, link }: { pages: readonly Page[]; link: DrilledFrom }) {
  return (
    <SectionCard title="Quick Wins" description="Pages with over 100 impressions and a CTR below 2%.">
      {pages.length === 0 ? (
        <NothingListed>No page with over 100 impressions has a CTR below 2% in this period.</NothingListed>
      ) : (
        <ul aria-label="Quick Wins" className={listed.list}>
          {pages.slice(0, listed.most).map(({ page, impressions, ctr }) => (
            <li key={page} className={listed.row}>
              <div className="min-w-0 flex-1">
                <CutLink to={pageAddress(page, link)} full={page} text={pagePath(page)} />
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

/** The keywords with the most to gain. */
export function HighImpactList({ keywords, link }: { keywords: readonly Opportunity[]; link: DrilledFrom }) {
  return (
    <SectionCard title="High Impact Opportunities" description="Estimated extra clicks a week if the keyword reached position 3.">
      {keywords.length === 0 ? (
        <NothingListed>No keyword has a score of 15 or more in this period.</NothingListed>
      ) : (
        <ul aria-label="High Impact Opportunities" className={listed.list}>
          {keywords.slice(0, listed.most).map(({ query, position, impressions, opportunityScore }) => (
            <li key={query} className={listed.row}>
              <div className="min-w-0 flex-1">
                <CutLink to={keywordAddress(query, link)} full={query} />
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

/** Shared by the two lists of five. */
const listed = {
  most: 5,
  list: '-my-2 divide-y divide-line',
  row: 'flex items-center gap-3 py-2',
  figures: 'flex flex-wrap gap-x-4 text-sm whitespace-nowrap text-muted tabular-nums',
} as const

function NothingListed({ children }: { children: ReactNode }) {
  return <p className="grid min-h-40 place-items-center text-center text-muted">{children}</p>
}

type CutLinkProps = { to: string; /** The full name, shown on hover and focus. */ full: string; text?: string; most?: number }

/** A link with a possibly long name: truncated after `most` characters, or else at the end of its line. */
export function CutLink({ to, full, text = full, most }: CutLinkProps) {
  const shown = most === undefined ? text : cutAfter(text, most)
  const isCut = !full.includes(shown)
  return (
    <Tooltip wide content={<bdi>{full}</bdi>}>
      <Link
        to={to}
        aria-label={isCut || shown === full ? undefined : full}
        className="flex h-10 min-w-0 items-center rounded-sm font-medium hover:text-brand hover:underline lg:h-8"
      >
        <bdi aria-hidden={isCut} className="truncate">
          {shown}
        </bdi>
        {isCut && <span className="sr-only">{full}</span>}
      </Link>
    </Tooltip>
  )
}
