import { z } from 'zod'
import { isoDate } from './common.ts'
import { endpoint } from './endpoint.ts'

/**
 * What was stored of an upload (multipart: `property`, `file` once or more, and `user` for the command line).
 */
export const importAnswer = z.object({
  property: z.string(),
  /** False when exactly these files were imported into this property before. */
  changed: z.boolean(),
  rows: z.number().int(),
  days: z.number().int(),
  start: isoDate,
  end: isoDate,
  clicks: z.number(),
  impressions: z.number(),
  /** What the files held that was not stored, Google's days among it, and what to know of the rest; a sentence each. */
  notes: z.array(z.string()),
})
export type ImportAnswer = z.infer<typeof importAnswer>

/** Files that may come in one upload: a year of a large property's bulk export is some dozens. */
export const mostFiles = 500

/** Rows of files that one account may have stored, all grains together: some years of a large agency's exports. */
export const mostImportedRows = 250_000_000
/** Uploads that one account may send a day. */
export const importsADay = 200

/** How far a long import is: rows that were read, and the part of all bytes. */
export const importProgress = z.object({ rows: z.number().int(), fraction: z.number().min(0).max(1) })
export type ImportProgress = z.infer<typeof importProgress>

/** A refused file: which line (1-based, the header being 1) of which file in the ZIP, and why. */
export const importProblem = z.object({
  message: z.string(),
  field: z.string().optional(),
  line: z.number().int().optional(),
  file: z.string().optional(),
})
export type ImportProblem = z.infer<typeof importProblem>

/** What asks for progress, and the type of an answer with it: lines of JSON, of which the last one is the answer or the refusal. */
export const importLines = 'application/x-ndjson'

export const importLine = z.union([
  z.object({ progress: importProgress }),
  z.object({ answer: importAnswer }),
  z.object({ status: z.number().int(), problem: importProblem }),
])
export type ImportLine = z.infer<typeof importLine>

export const importEndpoints = {
  upload: endpoint({ method: 'POST', path: '/api/import', access: 'session', answer: importAnswer }),
  uploadHere: endpoint({ method: 'POST', path: '/api/internal/import', access: 'machine', answer: importAnswer }),
}
