import { useId, type ReactNode } from 'react'
import type { Page } from '../../../contract/pages.ts'
import { formatCount } from '../../lib/format.ts'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'

type PageListProps = {
  title: string
  /** Which pages are in it. */
  description: string
  pages: readonly Page[]
  /** What they are ordered by, which stands first. */
  figure: 'impressions' | 'ctr'
  badge: ReactNode
  empty: string
}

/** A few pages that stand out, each of which opens its panel. */
export function PageList({ title, description, pages, figure, badge, empty }: PageListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      <p className="mt-1 text-muted">{description}</p>
      {pages.length === 0 ? (
        <p className="grid min-h-24 place-items-center text-muted">{empty}</p>
      ) : (
        <ul aria-labelledby={id} className="mt-2 divide-y divide-line">
          {pages.map((page) => (
            <li key={page.page} className="flex items-center justify-between gap-3 py-3">
              <div className="min-w-0 flex-1">
                <DetailLink kind="page" name={page.page} />
                <p className="mt-0.5 text-sm text-muted tabular-nums">{figuresText(page, figure)}</p>
              </div>
              {badge}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function figuresText({ impressions, ctr }: Page, first: PageListProps['figure']): string {
  const parts = [`${formatCount(impressions)} impressions`, `${ctr}% CTR`]
  return (first === 'ctr' ? parts.toReversed() : parts).join(' · ')
}
