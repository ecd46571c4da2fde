import { z } from 'zod'
import { isoDate } from './common.ts'

/**
 * `POST /api/import` (multipart: `property`, `file`, and `user` for the command line) answers
 * with what was stored. Totals are those of the whole file.
 */
export const importAnswer = z.object({
  property: z.string(),
  /** False when exactly this file was imported into this property before. */
  changed: z.boolean(),
  rows: z.number().int(),
  days: z.number().int(),
  start: isoDate,
  end: isoDate,
  clicks: z.number(),
  impressions: z.number(),
  /** What the file held that cannot be stored by day, said in a sentence each. */
  notes: z.array(z.string()),
})
export type ImportAnswer = z.infer<typeof importAnswer>

/** A refused file: which line (1-based, the header being 1) of which file in the ZIP, and why. */
export const importProblem = z.object({
  message: z.string(),
  field: z.string().optional(),
  line: z.number().int().optional(),
  file: z.string().optional(),
})
export type ImportProblem = z.infer<typeof importProblem>
