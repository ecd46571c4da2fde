import { z } from 'zod'
import { byId, isoDate, oneLine, orElse, propertyQuery, searchType } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Characters of a note at most. */
export const longestNote = 200

const text = z
  .string()
  .transform(oneLine)
  .pipe(z.string().min(1, 'Please describe what happened').max(longestNote, `A note can have up to ${longestNote} characters`))

/** Days that a note can be on, and that can be asked for: those that any database and calendar knows. */
const day = isoDate.refine((date) => date >= '2000-01-01' && date <= '2099-12-31', 'Please choose a day between 2000 and 2099')

/** A person's own note on a day. */
export const note = z.object({
  id: z.string(),
  date: isoDate,
  text: z.string(),
  /** Null: of all properties. */
  property: z.string().nullable(),
  /** Shown to whoever gets a report of its property: by link, as PDF, by mail. Others stay inside the account. */
  inReports: z.boolean(),
})
export type Note = z.infer<typeof note>

/** An incident of ranking that Google published; `end` is null while it lasts. */
export const incident = z.object({ id: z.string(), title: z.string(), start: isoDate, end: isoDate.nullable(), url: z.string() })
export type Incident = z.infer<typeof incident>

export const anomalyMetric = z.enum(['clicks', 'impressions', 'ctr', 'position'])
export type AnomalyMetric = z.infer<typeof anomalyMetric>

/** Days on which Search Console counted otherwise than before; `end` is null where it has ever since. */
export const anomaly = z.object({
  id: z.string(),
  title: z.string(),
  start: isoDate,
  end: isoDate.nullable(),
  searchType,
  /** The figures it touches. */
  metrics: z.array(anomalyMetric),
  /** What it did to the counts. */
  direction: z.enum(['up', 'down']),
  /** Published by Google, or reported by others. */
  basis: z.enum(['google', 'reported']),
  url: z.string(),
})
export type Anomaly = z.infer<typeof anomaly>

/** What happened on days of a period: newest first. */
export const annotationsQuery = propertyQuery.extend({ from: day.optional(), to: day.optional() })
export type AnnotationsQuery = z.infer<typeof annotationsQuery>
export const annotations = z.object({ notes: z.array(note), incidents: z.array(incident), anomalies: orElse(z.array(anomaly), []) })
export type Annotations = z.infer<typeof annotations>

/** Why a note on all properties cannot stand in reports. */
export const noteOfOneProperty = 'Only a note on a single property can appear in its reports'

const noteFields = z.object({
  date: day,
  text,
  property: z.string().min(1).max(2048).nullable(),
  inReports: z.boolean().default(false),
})
/** Without a property: of all of them, and then never in reports. */
export const newNote = noteFields.refine(({ property, inReports }) => property !== null || !inReports, {
  path: ['inReports'],
  message: noteOfOneProperty,
})
export type NewNote = z.infer<typeof newNote>
export const noteChange = z.object({ date: day, text, inReports: z.boolean() }).partial()
export type NoteChange = z.infer<typeof noteChange>

const path = '/api/annotations'
export const annotationEndpoints = {
  list: endpoint({ method: 'GET', path, access: 'session', query: annotationsQuery, answer: annotations }),
  add: endpoint({ method: 'POST', path, access: 'session', body: newNote, answer: note, status: 201 }),
  change: endpoint({ method: 'PATCH', path: `${path}/:id`, access: 'session', params: byId, body: noteChange, answer: note }),
  remove: endpoint({ method: 'DELETE', path: `${path}/:id`, access: 'session', params: byId }),
}
