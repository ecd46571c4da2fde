import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../common/errors.ts'
import { createSignedTokens } from '../platform/signed-token.ts'

/** Where the next part begins, in which list and whose; `asked` identifies the filter. */
const cursor = z.object({ list: z.string(), user: z.string(), asked: z.string(), after: z.unknown() })
type Cursor = z.infer<typeof cursor>

export type Cursors = {
  /** The requested part of a list. @throws Refusal 400 for a cursor from another list */
  open<Position>(about: { list: string; userId: string; query: PageQuery; position: z.ZodType<Position> }): ListPart<Position>
}
type PageQuery = { limit: number; cursor?: string | undefined } & Record<string, unknown>

export type ListPart<Position> = {
  limit: number
  /** The last item of the previous part; null for the first part. */
  after: Position | null
  /** The cursor of the part after this position. */
  next(position: Position): string
}

const notOurs = () =>
  new Refusal(
    400,
    "This cursor doesn't belong to this list. Use `next` from the previous response, and keep the other parameters unchanged.",
    'cursor',
  )

/** Signed cursors: their content is ours, and only valid for the list they were made for. @param key for this purpose only */
export function createCursors(key: Buffer): Cursors {
  const tokens = createSignedTokens<Cursor>([key], cursor)
  return {
    open({ list, userId, query, position }) {
      const { limit, cursor: given, ...filter } = query
      const asked = createHash('sha256')
        .update(JSON.stringify(Object.entries(filter).toSorted()))
        .digest('base64url')
        .slice(0, 16)
      const next = (after: unknown) => tokens.make({ list, user: userId, asked, after })
      if (given === undefined) return { limit, after: null, next }
      const read = tokens.read(given)
      if (!read || read.list !== list || read.user !== userId || read.asked !== asked) throw notOurs()
      const after = position.safeParse(read.after)
      if (!after.success) throw notOurs()
      return { limit, after: after.data, next }
    },
  }
}

/** A part of a short list that is read completely; `position` identifies each row, and rows are in `isAfter`'s order. */
export function partOf<Row, Position>(
  rows: readonly Row[],
  { limit, after, next }: ListPart<Position>,
  position: (row: Row) => Position,
  isAfter: (row: Row, after: Position) => boolean,
): { data: Row[]; next: string | null } {
  const left = after === null ? rows : rows.filter((row) => isAfter(row, after))
  const data = left.slice(0, limit)
  const last = data.at(-1)
  return { data, next: last !== undefined && left.length > limit ? next(position(last)) : null }
}
