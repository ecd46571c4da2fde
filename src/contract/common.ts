import { z } from 'zod'

/** A calendar day in Google's time zone (America/Los_Angeles), `YYYY-MM-DD`. */
export const isoDate = z.iso.date()
export type IsoDate = z.infer<typeof isoDate>

/** Search types with separate figures in Search Console. */
export const searchTypes = ['web', 'image', 'video', 'news', 'discover', 'googleNews'] as const
export const searchType = z.enum(searchTypes)
export type SearchType = z.infer<typeof searchType>
/** Discover and Google News have none (docs/google-api.md). */
export const hasPosition = (type: SearchType): boolean => type !== 'discover' && type !== 'googleNews'

/** The `code` of a refusal until identity is proven again (by password, or by signing in with Google). */
export const proofNeeded = 'proof-needed'

/** The body of every answer other than 2xx. `field` names the invalid input, if any. */
export const apiError = z.object({ message: z.string(), field: z.string().optional(), code: z.literal(proofNeeded).optional() })
export type ApiError = z.infer<typeof apiError>

/** A field that may be missing or null in an answer, and the reader's default (SPEC §3). Senders must include it. */
export const orElse = <T extends z.ZodType>(field: T, instead: z.input<T>) =>
  z.codec(z.any().optional(), field, { decode: (given) => (given ?? instead) as z.input<T>, encode: (value) => value })

/** Text on one line: replaces line breaks and control characters, unsuitable for databases and charts, with spaces. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/**
 * Text of at most this many characters. Longer text is refused at once: after any other failed check, zod still runs the rest, which may take
 * seconds for a megabyte. Whatever looks at a text (`regex`, `refine`, `trim`) comes after this.
 */
export const textUpTo = (most: number, problem?: string) => z.string().max(most, { abort: true, error: problem })
/** Text that has to fit once it is cleaned; until then it may be twice as long. */
export const cleanedText = (most: number, clean: (text: string) => string, problem?: string) =>
  textUpTo(2 * most, problem)
    .overwrite(clean)
    .max(most, { abort: true, error: problem })
export const trimmed = (text: string): string => text.trim()

const wrongId = "This isn't a valid ID"
/** Ids are sequential numbers: anything else belongs to nobody. */
export const byId = z.object({ id: textUpTo(15, wrongId).regex(/^\d{1,15}$/, wrongId) })

/** `?property=<name>`: a property other than the selected one; `all` for lists. */
export const propertyQuery = z.object({ property: z.string().min(1).max(2048).optional() })

/** The property of a row in a list over all properties. */
export const inAll = { property: z.string().optional() }

/** Where such a list ends: to answer a part of it, each property's list is read from its start. */
export const mostOfAll = 2_000

/** A list whose reader treats anything else as an empty one (SPEC §7, §8). */
export const rowsOf = <T extends z.ZodArray>(rows: T) =>
  z.codec(z.custom<z.input<T>>(), rows, { decode: (given) => (Array.isArray(given) ? given : []) as z.input<T>, encode: (value) => value })

/** The id of one of the person's segments, whose filters apply in addition to all others. */
export const segmentId = byId.shape.id.optional()
