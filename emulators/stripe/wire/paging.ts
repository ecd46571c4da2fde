import type { List } from '../objects/types.ts'
import { missingObject } from './errors.ts'

interface Page {
  readonly limit: number
  readonly starting_after?: string | undefined
  readonly ending_before?: string | undefined
  readonly created?:
    | number
    | { gt?: number | undefined; gte?: number | undefined; lt?: number | undefined; lte?: number | undefined }
    | undefined
}

/** One page of a list, newest first as in Stripe. @param all oldest first */
export function pageOf<T extends { id: string; object: string; created?: number }>(all: readonly T[], page: Page, url: string): List<T> {
  const newestFirst = all.toReversed().filter((each) => isWithin(each.created ?? 0, page.created))
  const positionOf = (id: string, param: string) => {
    const at = newestFirst.findIndex((each) => each.id === id)
    if (at < 0) throw missingObject(all[0]?.object ?? 'object', id, param)
    return at
  }
  if (page.ending_before !== undefined) {
    const end = positionOf(page.ending_before, 'ending_before')
    const start = Math.max(0, end - page.limit)
    return { object: 'list', data: newestFirst.slice(start, end), has_more: start > 0, url }
  }
  const start = page.starting_after === undefined ? 0 : positionOf(page.starting_after, 'starting_after') + 1
  const end = start + page.limit
  return { object: 'list', data: newestFirst.slice(start, end), has_more: end < newestFirst.length, url }
}

function isWithin(created: number, range: Page['created']): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return created > gt && created >= gte && created < lt && created <= lte
}
