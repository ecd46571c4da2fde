import { z } from 'zod'
import { isoDate, proofNeeded } from './common.ts'
import { endpoint, signedIn } from './endpoint.ts'

/** What an upload stored (multipart: `property`, `file` once or more, and `user` for the command line). */
export const importAnswer = z.object({
  property: z.string(),
  /** False if exactly these files were imported into this property before. */
  changed: z.boolean(),
  rows: z.number().int(),
  days: z.number().int(),
  start: isoDate,
  end: isoDate,
  clicks: z.number(),
  impressions: z.number(),
  /** What in the files was not stored, including Google's days, and remarks on the rest; one sentence each. */
  notes: z.array(z.string()),
})
export type ImportAnswer = z.infer<typeof importAnswer>

/** Maximum number of files in one upload: a year of a large property's bulk export is a few dozen. */
export const mostFiles = 500

/** Maximum number of rows from files that one account may have stored, all grains together: several years of a large agency's exports. */
export const mostImportedRows = 250_000_000
/** Maximum number of uploads per account per day. */
export const importsADay = 200
/** From all networks together. */
export const importsADayInAll = 600

/** A long import's progress: rows read, and the fraction of all bytes. */
export const importProgress = z.object({ rows: z.number().int(), fraction: z.number().min(0).max(1) })
export type ImportProgress = z.infer<typeof importProgress>

/** Why a file was refused: the line (1-based, the header being 1) and the file in the ZIP, if known, and the reason. */
export const importProblem = z.object({
  message: z.string(),
  field: z.string().optional(),
  line: z.number().int().optional(),
  file: z.string().optional(),
  code: z.literal(proofNeeded).optional(),
})
export type ImportProblem = z.infer<typeof importProblem>

/** Requests progress, and marks an answer with it: lines of JSON, the last being the answer or the refusal. */
export const importLines = 'application/x-ndjson'

export const importLine = z.union([
  z.object({ progress: importProgress }),
  z.object({ answer: importAnswer }),
  z.object({ status: z.number().int(), problem: importProblem }),
])
export type ImportLine = z.infer<typeof importLine>

export const importEndpoints = {
  /** Its form says which property it is for; importing into one that others see in reports requires a proof. */
  upload: signedIn.post('/api/import', { proof: 'by-route', answer: importAnswer }),
  uploadHere: endpoint({ method: 'POST', path: '/api/internal/import', access: 'machine', answer: importAnswer }),
}
