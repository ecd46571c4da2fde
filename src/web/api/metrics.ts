import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SearchType } from '../../contract/common.ts'
import { metricsEndpoints } from '../../contract/metrics.ts'
import { defaultHistory, type HistoryAsked, writeComparison, writeRange } from '../../contract/range.ts'
import { todayEndpoints } from '../../contract/today.ts'
import { call, callOrNull } from './client.ts'

/** Days, and whose figures: those of a segment, if not empty, and of a search type, web unless another one is given. */
export type FiguresAsked = HistoryAsked & { segment?: string; type?: SearchType }

/** Without chosen days, the server's: the last 7 compared with the previous 7 (SPEC §7). */
export function metricsQuery(property: string, { range, compare, segment = '', type = 'web' }: Omit<FiguresAsked, 'grain'>) {
  const isUsual = range === defaultHistory.range && compare === defaultHistory.compare
  const query = {
    property,
    ...(segment !== '' && { segment }),
    ...(type !== 'web' && { type }),
    ...(!isUsual && { range: writeRange(range), compare: writeComparison(compare) }),
  }
  return queryOptions({
    queryKey: [metricsEndpoints.read.path, query],
    queryFn: ({ signal }) => call(metricsEndpoints.read, { query, signal }),
    // The previous property's figures stay, dimmed, until the new ones arrive.
    placeholderData: keepPreviousData,
  })
}

/** Hours arrive once an hour; this checks a few times in between. */
const lookEveryMs = 10 * 60_000

export function todayQuery(property: string) {
  return queryOptions({
    queryKey: [todayEndpoints.read.path, property],
    queryFn: ({ signal }) => callOrNull(todayEndpoints.read, { query: { property }, signal }),
    refetchInterval: lookEveryMs,
  })
}
