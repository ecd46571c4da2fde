import { z } from 'zod'
import { byId, cleanedText, isoDate, oneLine, orElse, propertyQuery, searchType } from './common.ts'
import { signedIn } from './endpoint.ts'

/** Maximum length of a note in characters. */
export const longestNote = 200

const text = cleanedText(longestNote, oneLine, `A note can have up to ${longestNote} characters`).min(1, 'Please describe what happened')

/** Days that a note can have and that can be requested: any database and calendar supports them. */
const day = isoDate.refine((date) => date >= '2000-01-01' && date <= '2099-12-31', 'Please choose a day between 2000 and 2099')

/** A person's note on a day. */
export const note = z.object({
  id: z.string(),
  date: isoDate,
  text: z.string(),
  /** Null: for all properties. */
  property: z.string().nullable(),
  /** Visible to readers of its property's reports: by link, as a PDF, by email. Others stay within the account. */
  inReports: z.boolean(),
})
export type Note = z.infer<typeof note>

/** A ranking incident published by Google; `end` is null while ongoing. */
export const incident = z.object({ id: z.string(), title: z.string(), start: isoDate, end: isoDate.nullable(), url: z.string() })
export type Incident = z.infer<typeof incident>

export const anomalyMetric = z.enum(['clicks', 'impressions', 'ctr', 'position'])
export type AnomalyMetric = z.infer<typeof anomalyMetric>

/** Days on which Search Console counted differently than before; `end` is null if it still does. */
export const anomaly = z.object({
  id: z.string(),
  title: z.string(),
  start: isoDate,
  end: isoDate.nullable(),
  searchType,
  /** If only the figures by these search appearances are affected, their codes. */
  appearances: z.array(z.string()).optional(),
  /** The affected figures. */
  metrics: z.array(anomalyMetric),
  /** Its effect on the counts. */
  direction: z.enum(['up', 'down']),
  /** Published by Google, or reported by others. */
  basis: z.enum(['google', 'reported']),
  url: z.string(),
})
export type Anomaly = z.infer<typeof anomaly>

/** What happened on a period's days, newest first. */
export const annotationsQuery = propertyQuery.extend({ from: day.optional(), to: day.optional() })
export type AnnotationsQuery = z.infer<typeof annotationsQuery>
export const annotations = z.object({ notes: z.array(note), incidents: z.array(incident), anomalies: orElse(z.array(anomaly), []) })
export type Annotations = z.infer<typeof annotations>

/** Why a note on all properties can't appear in reports. */
export const noteOfOneProperty = 'Only a note on a single property can appear in its reports'

const noteFields = z.object({
  date: day,
  text,
  property: z.string().min(1).max(2048).nullable(),
  inReports: z.boolean().default(false),
})
/** Without a property: for all of them, and then never in reports. */
export const newNote = noteFields.refine(({ property, inReports }) => property !== null || !inReports, {
  path: ['inReports'],
  message: noteOfOneProperty,
})
export type NewNote = z.infer<typeof newNote>
export const noteChange = z.object({ date: day, text, inReports: z.boolean() }).partial()
export type NoteChange = z.infer<typeof noteChange>

const path = '/api/annotations'
/** What others see in reports requires proof. */
export const annotationEndpoints = {
  list: signedIn.get(path, { query: annotationsQuery, isLong: 'names', answer: annotations }),
  add: signedIn.post(path, { proof: 'by-content', body: newNote, answer: note, status: 201 }),
  change: signedIn.patch(`${path}/:id`, { proof: 'by-content', params: byId, body: noteChange, answer: note }),
  remove: signedIn.remove(`${path}/:id`, { params: byId }),
}
