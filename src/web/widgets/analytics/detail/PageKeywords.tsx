import { useQuery } from '@tanstack/react-query'
import { pageKeywordsQuery, type PeriodParams } from '../../../api/analytics.ts'
import { explainedByKeywords } from './detail-words.ts'
import { PairList } from './PairList.tsx'
import type { DetailDaysState } from './use-detail-days.ts'

/** As many as the server gives at once: what they explain is counted over all of them. */
const limit = 1_000

type PageKeywordsProps = { property: string; page: string; period: PeriodParams; ofPage: DetailDaysState }

/** Which queries bring a page. */
export function PageKeywords({ property, page, period, ofPage }: PageKeywordsProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(pageKeywordsQuery(property, { ...period, page, limit }))
  return (
    <PairList
      title="Queries for this page"
      kind="keyword"
      property={property}
      rows={data?.map((row) => ({ ...row, name: row.query }))}
      error={error}
      isOutdated={isPlaceholderData || ofPage.isOutdated}
      compared={ofPage.pairsAreCompared}
      onRetry={() => void refetch()}
    >
      {data !== undefined && ofPage.figures !== null && explainedByKeywords(data, ofPage.figures.clicks, limit, ofPage.pairsCutOff)}
      {data !== undefined && data.length > 1 && ' Share is each query’s share of their combined impressions.'}
    </PairList>
  )
}
