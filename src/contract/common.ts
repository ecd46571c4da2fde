import { z } from 'zod'

/** A calendar day in Google's time zone (America/Los_Angeles), `YYYY-MM-DD`. */
export const isoDate = z.iso.date()
export type IsoDate = z.infer<typeof isoDate>

/** Search types for which Search Console keeps separate figures. */
export const searchTypes = ['web', 'image', 'video', 'news', 'discover'] as const
export const searchType = z.enum(searchTypes)
export type SearchType = z.infer<typeof searchType>

/** The `code` of a refusal that is lifted by proving anew who one is (by password, or by signing in with Google). */
export const proofNeeded = 'proof-needed'

/** Body of every answer that is not 2xx. `field` names the input that was wrong, when one was. */
export const apiError = z.object({ message: z.string(), field: z.string().optional(), code: z.literal(proofNeeded).optional() })
export type ApiError = z.infer<typeof apiError>

/**
 * A field of an answer that may be missing or null, and what its reader takes instead (SPEC §3). Whoever answers has to have it.
 */
export const orElse = <T extends z.ZodType>(field: T, instead: z.input<T>) =>
  z.codec(z.any().optional(), field, { decode: (given) => (given ?? instead) as z.input<T>, encode: (value) => value })

/** Text on one line: line breaks and control characters, which no database or chart has a place for, become spaces. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Ids count up: whatever is no number is of nobody. */
export const byId = z.object({ id: z.string().regex(/^\d{1,15}$/, "This isn't a valid ID") })

/** `?property=<name>`: another property than the selected one; `all` where a list is answered. */
export const propertyQuery = z.object({ property: z.string().min(1).max(2048).optional() })

/** Of a row in a list of all properties: which one it is of. */
export const inAll = { property: z.string().optional() }

/** A list, whose reader takes whatever is no list as an empty one (SPEC §7, §8). */
export const rowsOf = <T extends z.ZodArray>(rows: T) =>
  z.codec(z.custom<z.input<T>>(), rows, { decode: (given) => (Array.isArray(given) ? given : []) as z.input<T>, encode: (value) => value })
