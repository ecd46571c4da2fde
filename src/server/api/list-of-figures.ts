import { z } from 'zod'
import type { AskedPeriod } from '../../contract/analytics.ts'
import type { AnomalyMetric } from '../../contract/annotations.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { Filter } from '../../contract/explore/explore.ts'
import type { Period } from '../../contract/metrics.ts'
import { incomparableMetrics } from '../../core/analytics/anomalies.ts'
import { type CompleteProperty, isComplete } from '../analytics/service.ts'
import { propertyNamed } from './requested-property.ts'
import type { ApiContext } from './operation.ts'
import { ApiProblem } from './problem.ts'

type ListQuery = AskedPeriod & { property: string; segment?: string | undefined; limit: number; cursor?: string | undefined }
type List<Row> = { compared: boolean; rows(part: { limit: number; offset: number }): Promise<readonly Row[]> }

export type FiguresPart<Row> = {
  property: string
  completeThrough: IsoDate | null
  current: Period | null
  previous: Period | null
  notComparable: AnomalyMetric[]
  data: Row[]
  next: string | null
}

/** A position within a particular list. */
const place = z.object({ mark: z.string(), offset: z.number().int().positive() })

/** A part of a sorted list of figures. Newer figures may arrive during paging: rows from two different lists are never returned as one. */
export async function partOfFigures<Row, Query extends ListQuery>(
  list: string,
  context: ApiContext,
  query: Query,
  open: (property: CompleteProperty, query: Query & { where: readonly Filter[] }) => Promise<List<Row>>,
): Promise<FiguresPart<Row>> {
  const { person, services } = context
  const property = await propertyNamed(context, query.property)
  const { limit, after, next } = services.cursors.open({ list, userId: person.id, query, position: place })
  const about = { property: property.name, completeThrough: property.completeThrough }
  if (!isComplete(property)) return { ...about, current: null, previous: null, notComparable: [], data: [], next: null }
  const { current, previous: before } = await services.analytics.periods(property, query)
  const mark = await services.analytics.mark(property, query)
  if (after !== null && after.mark !== mark) {
    throw new ApiProblem('list-changed', 'Newer data arrived while you were paging. Start again without the cursor.', { field: 'cursor' })
  }
  const offset = after?.offset ?? 0
  const opened = await open(property, await services.analytics.saved.whole(person, query))
  const rows = await opened.rows({ limit: limit + 1, offset })
  const previous = opened.compared ? before : null
  return {
    ...about,
    current,
    previous,
    notComparable: incomparableMetrics(current, previous),
    data: rows.slice(0, limit),
    next: rows.length > limit ? next({ mark, offset: offset + limit }) : null,
  }
}
