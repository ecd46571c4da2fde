import { z } from 'zod'
import type { StandIn } from './support.ts'

/** Calls that reached the Google stand-in, by its own count. */
export type Asked = { total: number; search: number; bySearch: Record<string, number> }

const log = z.object({
  total: z.number(),
  counts: z.array(z.object({ kind: z.string(), dims: z.array(z.string()).nullish(), count: z.number() })),
})

/** Calls since its list was last cleared; Search Analytics calls by their dimensions too. */
export async function askedOf({ control }: StandIn): Promise<Asked> {
  const { counts } = log.parse(await control('GET', 'requests?last=0'))
  const bySearch: Record<string, number> = {}
  for (const { kind, dims, count } of counts) {
    if (kind !== 'query') continue
    const grouping = dims?.join('+') || 'none'
    bySearch[grouping] = (bySearch[grouping] ?? 0) + count
  }
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
  return { total: sum(counts.map(({ count }) => count)), search: sum(Object.values(bySearch)), bySearch }
}
