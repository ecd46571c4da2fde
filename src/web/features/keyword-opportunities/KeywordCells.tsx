import type { Keyword } from '../../../contract/keywords.ts'
import type { NameColumn } from '../../widgets/table/columns.ts'
import { formatCount } from '../../lib/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'

/** The subject of keyword rows. */
export const keywordColumn: NameColumn<Keyword> = {
  label: 'Keyword and page',
  value: ({ query }) => query,
  cell: (row) => <KeywordName {...row} />,
  compact: (row) => <BrandedKeyword {...row} />,
}

type BrandedProps = { query: string; brand: boolean }

/** A keyword that opens its panel, and whether it is branded. */
export function BrandedKeyword({ query, brand }: BrandedProps) {
  return (
    <span className="flex min-w-0 items-start gap-2">
      <DetailLink kind="keyword" name={query} />
      {brand && <Badge className="-my-0.5 shrink-0">Brand</Badge>}
    </span>
  )
}

type KeywordNameProps = BrandedProps & { page: string; /** How many were shown for it. */ pages: number }

/** A row's subject: the keyword, with its most clicked page below. */
function KeywordName({ query, page, pages, brand }: KeywordNameProps) {
  return (
    // Far enough apart for fingers.
    <div className="flex min-w-0 flex-col gap-y-5.5 lg:pointer-fine:gap-y-0.5">
      <BrandedKeyword query={query} brand={brand} />
      {page === '' ? (
        <span className="text-muted">No page reported by Google</span>
      ) : (
        <span className="flex min-w-0 items-center gap-2 text-muted">
          <DetailLink kind="page" name={page} quiet />
          {pages > 1 && (
            <span className="shrink-0 text-xs">
              +{formatCount(pages - 1)}
              <span className="sr-only"> more {pages === 2 ? 'page' : 'pages'}</span>
            </span>
          )}
        </span>
      )}
    </div>
  )
}
