import type { ClickHouseClient } from '@clickhouse/client'
import type { Span } from './current.ts'
import { askInTime, figureConditions, filterParams, type Filtering, textConditions } from './filter-sql.ts'
import { comparedDays, comparedSums } from './questions/compared-figures.ts'
import { asText, askWith } from './question.ts'
import { inWindow, ofWindow, type WindowId, windowParams, windowSums } from './questions/window-columns.ts'
import { onStoredLoads, type StoredLoad } from './stored-loads.ts'

/**
 * A segment's filters on the pages or queries of a window. `pairs`: the loads of queries with their pages, which have the figures if pages
 * are filtered by their queries or the other way around; null if the window's own rows have all that is filtered.
 */
export type Segment = Filtering & { pairs: { property: number; current: Span; previous: Span | null; loads: readonly StoredLoad[] } | null }

/** Where to read a segment's rows with the columns of `window_page` or `window_query`, by which conditions, with which parameters. */
type Source = { from: string; conditions: readonly string[]; params: Record<string, unknown> }

/** @param before the prefix of the sums that the segment's bounds are about */
export function segmentedRows(kind: 'page' | 'query', window: WindowId, segment: Segment | undefined, before = ''): Source {
  const whole = { from: `window_${kind}`, conditions: [inWindow()], params: windowParams(window) }
  if (segment === undefined) return whole
  const { pairs } = segment
  const bounds = figureConditions(segment, before)
  if (pairs === null) {
    return {
      ...whole,
      conditions: [...whole.conditions, ...textConditions(segment, ''), ...bounds],
      params: { ...whole.params, ...filterParams(segment) },
    }
  }
  const { property, loads, current, previous } = pairs
  const days = onStoredLoads(loads, previous ? [current, previous] : [current])
  const source = `facts_query_page AS f WHERE ${[days, ...textConditions(segment)].join(' AND ')}`
  const from = {
    page: `(SELECT toString(f.page) AS page, ${comparedSums} FROM ${source} GROUP BY f.page)`,
    // As in a prepared window, the page is the one with the most clicks.
    query: `(SELECT w.query AS query, toUInt32(countIf(w.impressions > 0)) AS pages, ${windowSums},
        ${asText('argMax(w.name, (w.clicks, w.impressions, w.before_clicks, w.before_impressions, w.name))')} AS page
      FROM (SELECT f.query AS query, toString(f.page) AS name, ${comparedSums} FROM ${source} GROUP BY f.query, f.page) AS w GROUP BY w.query)`,
  }[kind]
  return { from, conditions: bounds, params: { property, ...comparedDays({ current, previous }), ...filterParams(segment) } }
}

/** Asks about such rows: a prepared window needs no second thread, and only a person's own filters may take too long. @throws TookTooLong */
export const askSegmented = <Row>(
  client: ClickHouseClient,
  segment: Segment | undefined,
  question: Parameters<typeof askWith<Row>>[1],
): Promise<Row[]> => {
  const asked = segment?.pairs ? question : { ...question, ...ofWindow }
  return segment ? askInTime(client, segment, asked) : askWith(client, asked)
}
