import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../common/errors.ts'
import { createSignedTokens } from '../platform/signed-token.ts'

/** Where in which list of whom the next part begins; `asked` names the filter. */
const cursor = z.object({ list: z.string(), user: z.string(), asked: z.string(), after: z.unknown() })
type Cursor = z.infer<typeof cursor>

export type Cursors = {
  /** The part of a list that a query asks for. @throws Refusal 400 for a cursor that is not of this very list */
  open<Position>(about: { list: string; userId: string; query: PageQuery; position: z.ZodType<Position> }): ListPart<Position>
}
type PageQuery = { limit: number; cursor?: string | undefined } & Record<string, unknown>

export type ListPart<Position> = {
  limit: number
  /** What came last in the part before; null for the first part. */
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

/** Cursors are signed: what they hold is ours, and of the one list they were made for. @param key of this purpose alone */
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

/** A part of a short list that is read wholly; `position` names each row, and rows are in the order that `isAfter` knows. */
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
