import { z } from 'zod'
import { isoDate, propertyQuery } from './common.ts'

/** Characters of a note at most. */
export const longestNote = 200

/** One line: line breaks and control characters, which no database or chart has a place for, become spaces. */
const text = z
  .string()
  .transform((typed) =>
    typed
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  .pipe(z.string().min(1, 'Please write what happened').max(longestNote, `A note has at most ${longestNote} characters`))

/** Days that a note can be on, and that can be asked for: those that any database and calendar knows. */
const day = isoDate.refine((date) => date >= '2000-01-01' && date <= '2099-12-31', 'Please choose a day between 2000 and 2099')

/** A person's own note on a day. */
export const note = z.object({
  id: z.string(),
  date: isoDate,
  text: z.string(),
  /** Null: of all properties. */
  property: z.string().nullable(),
})
export type Note = z.infer<typeof note>

/** An incident of ranking that Google published; `end` is null while it lasts. */
export const incident = z.object({ id: z.string(), title: z.string(), start: isoDate, end: isoDate.nullable(), url: z.string() })
export type Incident = z.infer<typeof incident>

/** `GET /api/annotations?property&from&to`: what happened on days of a period: newest first. */
export const annotationsQuery = propertyQuery.extend({ from: day.optional(), to: day.optional() })
export type AnnotationsQuery = z.infer<typeof annotationsQuery>
export const annotations = z.object({ notes: z.array(note), incidents: z.array(incident) })
export type Annotations = z.infer<typeof annotations>

/** `POST /api/annotations`; without a property: of all of them. */
export const newNote = z.object({ date: day, text, property: z.string().min(1).max(2048).nullable() })
export type NewNote = z.infer<typeof newNote>
/** `PATCH /api/annotations/:id` */
export const noteChange = newNote.pick({ date: true, text: true }).partial()
export type NoteChange = z.infer<typeof noteChange>
