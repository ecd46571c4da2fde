import { formatDay, parseDay } from '../dates.ts'
import { writeAnswer } from '../query/answer.ts'
import { parseQuery } from '../query/parse.ts'
import { Sums } from '../query/sums.ts'
import type { World } from '../world.ts'

/** What the totals are requested for; see totalsInput. */
export interface TotalsQuestion {
  readonly site: string
  readonly start: string
  readonly end: string
  readonly dims: string
  readonly type: string
  readonly dataState: string
}

interface Row {
  readonly keys?: readonly string[]
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number
  readonly position?: number
}

const isAppearance = (dimension: string): boolean => /^search_?appearance$/i.test(dimension)

/**
 * The stand-in's own figures, also by appearance within something else, which Google refuses: rows of the requested dimensions without the limit of 25,000, and their sum. Positions are averages weighted
 * by impressions. undefined if there is no such property.
 */
export function totals(world: World, question: TotalsQuestion): unknown {
  const property = world.property(question.site)
  if (!property) return undefined
  const view = world.view()
  const dimensions = question.dims.split(',').filter(Boolean)
  const alone = dimensions.filter((name) => !isAppearance(name))
  const parsed = parseQuery(
    JSON.stringify({
      startDate: question.start,
      endDate: question.end,
      type: question.type,
      dataState: question.dataState,
      dimensions: alone.length > 0 ? alone : dimensions,
    }),
  )
  const named = parsed.dimensions.length === dimensions.length ? parsed.dimensions : [...parsed.dimensions, 'searchAppearance' as const]
  const request = { ...parsed, dimensions: named, rowLimit: Number.MAX_SAFE_INTEGER }
  const slices = world.runner.run(property, request, view)
  const total = new Sums(1)
  for (const { part, from, to } of slices) {
    for (let i = from; i < to; i++) {
      const group = part.order[i] ?? 0
      total.add(0, 0, part.sums.clicks[group] ?? 0, part.sums.impressions[group] ?? 0, part.sums.positions[group] ?? 0)
    }
  }
  const answer = JSON.parse(writeAnswer(property, request, slices, view).toString()) as { rows?: Row[]; responseAggregationType: string }
  const [clicks, impressions, positions] = [total.clicks[0] ?? 0, total.impressions[0] ?? 0, total.positions[0] ?? 0]
  return {
    ...question,
    today: formatDay(view.today),
    finalDate: formatDay(property.finalDay(view.today)),
    aggregation: answer.responseAggregationType,
    total: {
      clicks,
      impressions,
      ctr: impressions === 0 ? 0 : clicks / impressions,
      position: impressions === 0 ? 0 : positions / impressions,
    },
    rows: answer.rows ?? [],
  }
}

/** Day number of a date that passed the input check. */
export function dayOf(date: string): number {
  return parseDay(date) ?? 0
}
