import type { ExploreRow } from '../../../contract/explore/explore.ts'
import type { Part } from '../../facts/questions/window-columns.ts'
import { TooMuchAtOnce } from '../../platform/clickhouse/clickhouse-errors.ts'

/** Any part of some sorted rows. */
export type RowsOf = (part: Part) => Promise<ExploreRow[]>

/**
 * How many rows are read at once for a file: it needs all of them, and every question aggregates all. If names are long, as many as fit
 * into one part in the end.
 */
const blockSizes = [50_000, 10_000, 0]

/** The same rows for a sequential reader, in smaller parts that each lie within one block. */
export function inBlocks(rows: RowsOf): RowsOf {
  let tried = 0
  let block = { start: 0, end: 0, rows: new Array<ExploreRow>() }

  async function blockFrom({ limit, offset }: Part): Promise<typeof block> {
    for (;;) {
      const most = blockSizes[tried] ?? 0
      const length = Math.max(limit, most - (most % limit))
      try {
        return { start: offset, end: offset + length, rows: await rows({ limit: length, offset }) }
      } catch (error) {
        if (!(error instanceof TooMuchAtOnce) || length === limit) throw error
        tried += 1
      }
    }
  }

  return async (part) => {
    const { limit, offset } = part
    if (offset < block.start || offset + limit > block.end) block = await blockFrom(part)
    return block.rows.slice(offset - block.start, offset - block.start + limit)
  }
}
