import { useQuery } from '@tanstack/react-query'
import { keywordPagesQuery, type PeriodParams } from '../../../api/analytics.ts'
import { competition } from './detail-words.ts'
import { PairList } from './PairList.tsx'
import type { DetailDaysState } from './use-detail-days.ts'

type KeywordPagesProps = { property: string; query: string; period: PeriodParams; ofQuery: DetailDaysState }

/** Which pages a query brings, and whether they compete for it. */
export function KeywordPages({ property, query, period, ofQuery }: KeywordPagesProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(keywordPagesQuery(property, { ...period, query }))
  return (
    <PairList
      title="Pages for this query"
      kind="page"
      property={property}
      rows={data?.map((row) => ({ ...row, name: row.page }))}
      error={error}
      isOutdated={isPlaceholderData}
      compared={ofQuery.pairsAreCompared}
      onRetry={() => void refetch()}
    >
      {data !== undefined && competition(data, ofQuery.pairsCutOff)}
      {data !== undefined && data.length > 1 && ' Share is each page’s share of their combined impressions.'}
    </PairList>
  )
}
